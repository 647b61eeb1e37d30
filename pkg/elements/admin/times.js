// Times in words. Must not live here: what a time is about.

const HOUR = 3_600_000

/** Milliseconds from now in words; the page is in English. */
export function relative(ms) {
  const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
  const hours = ms / HOUR
  if (!Number.isFinite(hours)) return 'never'
  if (Math.abs(hours) < 1) return ago.format(Math.round(hours * 60), 'minute')
  return Math.abs(hours) < 48 ? ago.format(Math.round(hours), 'hour') : ago.format(Math.round(hours / 24), 'day')
}

/** The milliseconds from now to a time of the service; where there is none it writes the year 1, or nothing. */
export function until(time, none = -Infinity) {
  const ms = Date.parse(time ?? '')
  return ms > 0 ? ms - Date.now() : none
}
