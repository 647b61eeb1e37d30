// Prefixes, the routes of a device, names and addresses for DNS. Must not live here: policies, calls.

import type { Issue, NameserverIssueCode, SearchPathIssueCode } from './issue.js'
import type { Routes } from './wire.js'

/** How lenient to be. The first value of each option is the default. */
export interface CidrOptions {
  /** Host bits set, as in `10.1.2.3/8`: an error, or cleared. */
  hostBits?: 'error' | 'mask'
  /** An address without a prefix length: an error, or `/32` and `/128`. */
  bareAddress?: 'error' | 'host'
  /** An IPv4 address in IPv6 form: an error, turned into IPv4 (not below /96), or kept. */
  ipv4Mapped?: 'error' | 'unwrap' | 'keep'
}

/** Why a text is not a prefix. */
export type CidrCode = 'bad_address' | 'leading_zero' | 'zone' | 'bad_prefix_length' | 'bare_address' | 'host_bits' | 'ipv4_mapped'

/** The verdict on one prefix. */
export type CidrCheck =
  | {
      /** It is valid. */
      ok: true
      /** Its canonical text (RFC 5952). */
      cidr: string
      /** Its family. */
      version: 4 | 6
    }
  | {
      /** It is not valid. */
      ok: false
      /** The stable reason. */
      code: CidrCode
      /** The reason in words. */
      message: string
      /** What was probably meant; passes the same check. */
      suggestion?: string
    }

/**
 * IPv4 and IPv6 prefixes, read as strictly as the service does. A text that is not a prefix throws `invalid_argument`, except in `check` and
 * `checkMany`, which say why; elsewhere host bits are cleared. Malformed options and lists throw everywhere. Lists are returned
 * ascending, IPv4 first.
 */
export declare const cidr: CidrFunctions

/** The functions of `cidr`. */
export interface CidrFunctions {
  /**
   * The verdict on one prefix.
   * @example
   * const found = cidr.check('10.1.2.3/8')
   * found.ok ? found.cidr : found.suggestion // → '10.0.0.0/8'
   */
  check(prefix: string, o?: CidrOptions): CidrCheck
  /**
   * The same for many, in their order, in one call.
   * @example cidr.checkMany(['10.0.0.0/8', 'x']).map(({ ok }) => ok) // → [true, false]
   */
  checkMany(prefixes: string[], o?: CidrOptions): CidrCheck[]
  /**
   * The canonical text, host bits cleared. Throws `invalid_argument` for anything else that `check` would refuse.
   * @example cidr.normalize('2001:DB8:0::/32') // → '2001:db8::/32'
   */
  normalize(prefix: string, o?: CidrOptions): string
  /**
   * Whether every address of `inner` is in `outer`.
   * @example cidr.contains('10.0.0.0/8', '10.1.0.0/16') // → true
   */
  contains(outer: string, inner: string): boolean
  /**
   * Whether any address is in both.
   * @example cidr.overlaps('10.0.0.0/8', '::/0') // → false
   */
  overlaps(a: string, b: string): boolean
  /**
   * The fewest prefixes that cover the same addresses.
   * @example cidr.merge(['10.0.0.0/9', '10.128.0.0/9']) // → ['10.0.0.0/8']
   */
  merge(prefixes: string[]): string[]
  /**
   * The fewest prefixes for the addresses that are in `base` but not in `minus`.
   * @example cidr.exclude(['10.0.0.0/8'], ['10.0.0.0/9']) // → ['10.128.0.0/9']
   */
  exclude(base: string[], minus: string[]): string[]
  /**
   * Whether both lists cover the same addresses.
   * @example cidr.sameSet(['10.0.0.0/8'], ['10.0.0.0/9', '10.128.0.0/9']) // → true
   */
  sameSet(a: string[], b: string[]): boolean
}

/** The routes of a device, made readable. A text that is not a prefix throws `invalid_argument`; host bits are cleared. */
export declare const routes: RoutesFunctions

/** The functions of `routes`. */
export interface RoutesFunctions {
  /**
   * What the two lists of a device say together; each list ascends, IPv4 first, and names a route once.
   * @example
   * routes.summarize({ advertisedRoutes: ['10.0.0.0/8', '0.0.0.0/0'], enabledRoutes: ['10.0.0.0/8'] }).pending // → ['0.0.0.0/0']
   */
  summarize(r: Routes): {
    /** Advertised and enabled. */
    active: string[]
    /** Advertised, waiting to be enabled. */
    pending: string[]
    /** Enabled, not advertised (yet). */
    enabledOnly: string[]
    /** Whether the device is an exit node, by its active routes: for both families, for one, or not at all. */
    exitNode: 'no' | 'half' | 'yes'
    /** Pairs of different routes, from either list, that share addresses; the wider one first. */
    overlaps: [string, string][]
  }
}

/** Values of DNS settings, checked before they are sent. Anything but a string throws `invalid_argument`. */
export declare const dns: DnsFunctions

/** The functions of `dns`. */
export interface DnsFunctions {
  /**
   * What is wrong with the address of a nameserver; empty if nothing is. Errors: `empty`, `blank`, `url`, `several`, `prefix`,
   * `port`, `host_name`, `unspecified`, `multicast`, `broadcast`, `bad_address`, `leading_zero`, `zone`. Warnings: `loopback`,
   * `link_local`, `ipv4_mapped`, `own_resolver`.
   * @example dns.checkNameserver('9.9.9.9:53').map(({ code }) => code) // → ['port']
   */
  checkNameserver(address: string): Issue<NameserverIssueCode>[]
  /**
   * What is wrong with a search domain; empty if nothing is. Errors: `empty`, `blank`, `url`, `address`, `prefix`, `wildcard`,
   * `empty_label`, `long_label`, `hyphen`, `not_ascii`, `bad_character`, `numeric_top`, `long_name`. Warnings: `underscore`,
   * `local_domain`.
   * @example dns.checkSearchPath('*.example.com').map(({ code }) => code) // → ['wildcard']
   */
  checkSearchPath(name: string): Issue<SearchPathIssueCode>[]
}
