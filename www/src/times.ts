// Times in words. Must not live here: what a time is about.
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** Milliseconds from now in words. */
export function relative(ms: number): string {
  const hours = ms / 3_600_000
  if (!Number.isFinite(hours)) return 'never'
  if (Math.abs(hours) < 1) return ago.format(Math.round(hours * 60), 'minute')
  return Math.abs(hours) < 48 ? ago.format(Math.round(hours), 'hour') : ago.format(Math.round(hours / 24), 'day')
}

/** A time of the service relative to now; where there is none the service writes the year 1. */
export function fromNow(time: string | undefined): string {
  const ms = Date.parse(time ?? '')
  return relative(ms > 0 ? ms - Date.now() : -Infinity)
}
