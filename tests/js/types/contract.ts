// Each declaration of the contract against ours, both ways for types, ours to theirs for values: a name that is missing
// or narrower does not compile. Must not live here: uses.

import type * as contract from './contract.mjs'
import type * as gateway from 'tailnet-kit/gateway'
import type * as sandbox from 'tailnet-kit/sandbox'
import type * as slim from 'tailnet-kit/slim'

type Ours = typeof slim & typeof sandbox & typeof gateway
type Theirs = typeof contract

/** Compiles only when `A` can stand wherever `B` is wanted. */
type Fits<A extends B, B> = A

export type Missing = Fits<Exclude<keyof Theirs, keyof Ours>, never>
export type Values = { [Name in keyof Theirs & keyof Ours]: Ours[Name] extends Theirs[Name] ? never : Name }[keyof Theirs & keyof Ours]
export type NarrowerValues = Fits<Values, never>

interface Pairs {
  WasmInput: [slim.WasmInput, contract.WasmInput]
  ClientOptions: [slim.ClientOptions, contract.ClientOptions]
  CallOptions: [slim.CallOptions, contract.CallOptions]
  APIPromise: [slim.APIPromise<string>, contract.APIPromise<string>]
  Logger: [slim.Logger, contract.Logger]
  Hooks: [slim.Hooks, contract.Hooks]
  TailnetClient: [slim.TailnetClient, contract.TailnetClient]
  Fields: [slim.Fields, contract.Fields]
  Device: [slim.Device, contract.Device]
  ClientConnectivity: [slim.ClientConnectivity, contract.ClientConnectivity]
  Routes: [slim.Routes, contract.Routes]
  Nameservers: [slim.Nameservers, contract.Nameservers]
  DnsPreferences: [slim.DnsPreferences, contract.DnsPreferences]
  SearchPaths: [slim.SearchPaths, contract.SearchPaths]
  AclText: [slim.AclText, contract.AclText]
  AclJson: [slim.AclJson, contract.AclJson]
  AclPolicy: [slim.AclPolicy, contract.AclPolicy]
  AclPreview: [slim.AclPreview, contract.AclPreview]
  Issue: [slim.Issue, contract.Issue]
  Result: [slim.Result<string>, contract.Result<string>]
  JsonPatchOperation: [slim.JsonPatchOperation, contract.JsonPatchOperation]
  PolicyContext: [slim.PolicyContext, contract.PolicyContext]
  Subject: [slim.Subject, contract.Subject]
  PolicyCheck: [slim.PolicyCheck, contract.PolicyCheck]
  RuleRef: [slim.RuleRef, contract.RuleRef]
  TestReport: [slim.TestReport, contract.TestReport]
  Explanation: [slim.Explanation, contract.Explanation]
  FilterRule: [slim.FilterRule, contract.FilterRule]
  SshRule: [slim.SshRule, contract.SshRule]
  AccessMatrix: [slim.AccessMatrix, contract.AccessMatrix]
  AccessChange: [slim.AccessChange, contract.AccessChange]
  CidrCheck: [slim.CidrCheck, contract.CidrCheck]
  CidrOptions: [slim.CidrOptions, contract.CidrOptions]
  SandboxOptions: [sandbox.SandboxOptions, contract.SandboxOptions]
  SandboxState: [sandbox.SandboxState, contract.SandboxState]
  GatewayOptions: [gateway.GatewayOptions, contract.GatewayOptions]
}
type Differing = { [Name in keyof Pairs]: Pairs[Name] extends [infer A, infer B] ? ([A, B] extends [B, A] ? never : Name) : never }[keyof Pairs]
export type Different = Fits<Differing, never>
