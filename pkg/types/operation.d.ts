// The names of the client's calls, and of groups of them. Must not live here: the calls.

/** One operation, as in the gateway's `allow` and `authorize` and in logs. */
export type OperationName =
  | `devices.${'list' | 'get' | 'delete' | 'authorize' | 'setName' | 'setTags' | 'setKey' | 'expireKey' | 'setIP'}`
  | `devices.attributes.${'get' | 'set' | 'delete' | 'batch'}`
  | `devices.routes.${'get' | 'set'}`
  | `acl.${'get' | 'set' | 'preview' | 'validate'}`
  | `dns.${'nameservers' | 'preferences' | 'searchPaths' | 'configuration'}.${'get' | 'set'}`
  | `dns.split.${'get' | 'update' | 'replace'}`
  | `keys.${'list' | 'create' | 'get' | 'set' | 'delete'}`
  | `users.${'list' | 'get' | 'approve' | 'suspend' | 'restore' | 'delete' | 'setRole'}`
  | `settings.${'get' | 'update'}`
  | `contacts.${'get' | 'update' | 'resendVerification'}`
  | `webhooks.${'list' | 'create' | 'get' | 'update' | 'delete' | 'test' | 'rotateSecret'}`
  | `services.${'list' | 'get' | 'set' | 'delete' | 'hosts'}`
  | `services.approval.${'get' | 'set'}`
  | `logs.${'audit' | 'network'}`
  | `postureIntegrations.${'list' | 'create' | 'get' | 'update' | 'delete'}`

/** The namespaces that contain a name. */
export type NamespaceOf<Name extends string> = Name extends `${infer Head}.${infer Rest}` ? Head | `${Head}.${NamespaceOf<Rest>}` : never

/** `devices.*`: all of a namespace and below it; `devices.read`: those of it that change nothing; `*.read`: all that change nothing. */
export type OperationGroup = `${NamespaceOf<OperationName>}.${'*' | 'read'}` | '*.read'
