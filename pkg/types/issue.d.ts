// What is said about a text or a value, with its place. Must not live here: what says it.

/** What may be wrong with a text as such. */
export type HuJSONIssueCode = 'hujson_syntax' | 'duplicate_key'

/** What may be said about a policy. More may come: keep a default branch. */
export type PolicyIssueCode =
  | HuJSONIssueCode
  // Its shape.
  | 'wrong_type'
  | 'unknown_field'
  | 'mixed_spelling'
  | 'old_spelling'
  // Its rules.
  | 'invalid_action'
  | 'invalid_source'
  | 'invalid_destination'
  | 'invalid_self'
  | 'invalid_selector'
  | 'invalid_port'
  | 'unknown_protocol'
  | 'empty_grant'
  | 'invalid_capability'
  | 'invalid_via'
  | 'invalid_users'
  | 'invalid_env'
  | 'invalid_check_period'
  | 'short_check_period'
  // Names in it.
  | 'unknown_group'
  | 'unsynced_group'
  | 'unknown_tag'
  | 'unknown_host'
  | 'unknown_ipset'
  | 'unknown_posture'
  | 'unknown_autogroup'
  | 'unknown_user'
  | 'foreign_domain'
  // What it defines.
  | 'invalid_group'
  | 'invalid_member'
  | 'bare_login'
  | 'invalid_owner'
  | 'invalid_host'
  | 'invalid_tag'
  | 'invalid_ipset'
  | 'invalid_posture'
  | 'invalid_address'
  | 'host_bits'
  | 'invalid_service'
  | 'invalid_target'
  | 'invalid_pool'
  | 'exit_node_route'
  // Its tests.
  | 'test_failed'
  | 'invalid_ssh_test'
  // Accepted by the service, but could be better.
  | 'allows_all'
  | 'broad_rule'
  | 'covered_rule'
  | 'never_matches'
  | 'repeated_entry'
  | 'shadowed_alias'
  | 'unused_ignore'
  // Wider or emptier than it looks.
  | 'ssh_without_network'
  | 'shadowed_ssh_rule'
  | 'void_posture'
  | 'impossible_posture'
  | 'unknown_attribute'
  | 'open_source'
  | 'anyone_owns_tag'
  | 'open_funnel'
  | 'unused_name'
  | 'empty_destination'
  | 'tag_without_device'
  | 'no_route'
  | 'undeclared_tag'

/** What may be wrong with the address of a nameserver. */
export type NameserverIssueCode =
  | 'empty'
  | 'blank'
  | 'url'
  | 'several'
  | 'prefix'
  | 'port'
  | 'host_name'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  | 'bad_address'
  | 'leading_zero'
  | 'zone'
  | 'loopback'
  | 'link_local'
  | 'ipv4_mapped'
  | 'own_resolver'

/** What may be wrong with a search domain. */
export type SearchPathIssueCode =
  | 'empty'
  | 'blank'
  | 'url'
  | 'address'
  | 'prefix'
  | 'wildcard'
  | 'empty_label'
  | 'long_label'
  | 'hyphen'
  | 'not_ascii'
  | 'bad_character'
  | 'numeric_top'
  | 'long_name'
  | 'underscore'
  | 'local_domain'

/** All codes of issues. */
export type IssueCode = PolicyIssueCode | NameserverIssueCode | SearchPathIssueCode

/** A remark on a text, with its position. */
export interface Issue<Code extends IssueCode = IssueCode> {
  /** The service refuses an error; it accepts a warning. */
  severity: 'error' | 'warning'
  /** The stable code: switch on it. */
  code: Code
  /** The reason in words. That of a syntax error does not contain the position. */
  message: string
  /** What to do about it. */
  hint?: string
  /** Where the words come from: observed in answers of the service, taken from its documentation or source, or ours. */
  origin: 'recorded' | 'documented' | 'ours'
  /** JSON Pointer (RFC 6901) to the faulty place; absent for a syntax error. */
  pointer?: string
  /** Line, from 1. */
  line: number
  /** Column, from 1, in bytes of UTF-8, as the HuJSON reference reports it. */
  column: number
  /** Where the place starts, in UTF-16 units: an index into the string. */
  offset: number
  /** How long it is, in UTF-16 units. */
  length: number
}
