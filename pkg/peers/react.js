// `tailnet-kit/react`: elements as components of React, but for the one that needs CodeMirror (`react/policy.js`). Must not live here: elements.

import { TailnetAccess as Access } from '../elements/access/element.js'
import { TailnetChanges as Changes } from '../elements/changes/element.js'
import { TailnetFlow as Flow } from '../elements/flow/element.js'
import { TailnetDevices as Devices } from '../elements/admin/devices.js'
import { TailnetDns as Dns } from '../elements/admin/dns.js'
import { TailnetKeys as Keys } from '../elements/admin/keys.js'
import { TailnetSettings as Settings } from '../elements/admin/settings.js'
import { TailnetUsers as Users } from '../elements/admin/users.js'
import { TailnetPreview as Preview } from '../elements/preview/element.js'
import { TailnetConflict as Conflict } from '../elements/conflict/element.js'
import { TailnetSave as Save } from '../elements/save/element.js'
import { TailnetShare as Share } from '../elements/share/element.js'
import { TailnetTests as Tests } from '../elements/tests/element.js'
import { COMMON, component } from '../react/component.js'

export const TailnetAccess = /* @__PURE__ */ component('tailnet-access', Access, { ...COMMON, onCell: 'cell' })
export const TailnetChanges = /* @__PURE__ */ component('tailnet-changes', Changes, { ...COMMON, onCell: 'cell' })
export const TailnetFlow = /* @__PURE__ */ component('tailnet-flow', Flow, { ...COMMON, onEdit: 'edit' })
export const TailnetDevices = /* @__PURE__ */ component('tailnet-devices', Devices, { ...COMMON, onChange: 'change' })
export const TailnetDns = /* @__PURE__ */ component('tailnet-dns', Dns, { ...COMMON, onChange: 'change' })
export const TailnetKeys = /* @__PURE__ */ component('tailnet-keys', Keys, { ...COMMON, onChange: 'change' })
export const TailnetSettings = /* @__PURE__ */ component('tailnet-settings', Settings, { ...COMMON, onChange: 'change' })
export const TailnetUsers = /* @__PURE__ */ component('tailnet-users', Users, { ...COMMON, onChange: 'change' })
export const TailnetPreview = /* @__PURE__ */ component('tailnet-preview', Preview, COMMON)
export const TailnetConflict = /* @__PURE__ */ component('tailnet-conflict', Conflict, COMMON)
export const TailnetSave = /* @__PURE__ */ component('tailnet-save', Save, { ...COMMON, onStored: 'stored' })
export const TailnetShare = /* @__PURE__ */ component('tailnet-share', Share, COMMON)
export const TailnetTests = /* @__PURE__ */ component('tailnet-tests', Tests, COMMON)
