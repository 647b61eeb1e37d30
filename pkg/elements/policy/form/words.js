// The words of the form. Must not live here: rows.

export const TITLES = {
  acls: 'Access rules (acls)',
  grants: 'Grants',
  ssh: 'SSH rules',
  groups: 'Groups',
  tagOwners: 'Tags and their owners',
  hosts: 'Hosts',
  ipsets: 'IP sets',
  postures: 'Postures',
}
/** One entry of each section. */
export const ENTRY = { acls: 'rule', grants: 'grant', ssh: 'SSH rule', groups: 'group', tagOwners: 'tag', hosts: 'host', ipsets: 'IP set', postures: 'posture' }
/** What a name of each section stands for. */
export const CONTENT = { groups: 'Members', tagOwners: 'Owners', hosts: 'Address', ipsets: 'Entries', postures: 'Conditions' }
export const FIELDS = { src: 'Sources', dst: 'Destinations', ip: 'Ports', proto: 'Protocol', users: 'Users', action: 'Action' }
