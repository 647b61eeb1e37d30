// Ports by the names that people have for them. Must not live here: which of them are open.
const NAMES: Record<string, string> = {
  20: 'ftp-data',
  21: 'ftp',
  22: 'ssh',
  25: 'smtp',
  53: 'dns',
  80: 'http',
  123: 'ntp',
  143: 'imap',
  389: 'ldap',
  443: 'https',
  445: 'smb',
  587: 'submission',
  631: 'ipp',
  636: 'ldaps',
  993: 'imaps',
  1433: 'mssql',
  3306: 'mysql',
  3389: 'rdp',
  5432: 'postgres',
  5900: 'vnc',
  6379: 'redis',
  6443: 'kubernetes',
  8080: 'http-alt',
  9090: 'prometheus',
  9100: 'jetdirect',
  9200: 'elastic',
  27017: 'mongodb',
}

/** These words with the port at their end replaced by its name, where it has one. */
export const named = (words: string): string => words.replace(/\d+$/, (number) => NAMES[number] ?? number)
