// The entry `tailnet-kit/elements/admin`: lists and settings of a service. Must not live here: anything but naming the elements.

import { TailnetDevices as Devices } from './admin/devices.js'
import { TailnetDns as Dns } from './admin/dns.js'
import { TailnetKeys as Keys } from './admin/keys.js'
import { TailnetSettings as Settings } from './admin/settings.js'
import { TailnetUsers as Users } from './admin/users.js'
import { defined } from './common/base.js'

export const TailnetDevices = defined('tailnet-devices', Devices)
export const TailnetDns = defined('tailnet-dns', Dns)
export const TailnetKeys = defined('tailnet-keys', Keys)
export const TailnetSettings = defined('tailnet-settings', Settings)
export const TailnetUsers = defined('tailnet-users', Users)
