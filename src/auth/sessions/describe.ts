/** In order of precedence: many browsers also claim to be others. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|OPiOS|Opera)\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chromium', /\bChromium\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** The common names of a browser and its system, from the User-Agent; undefined if unknown. */
export function describeBrowser(userAgent: string): { browser: string | undefined; system: string | undefined } {
  const find = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return { browser: find(BROWSERS), system: find(SYSTEMS) }
}

/** A time for pages and e-mails: `2026-01-31 14:05`, in UTC. */
export const timeOf = (moment: Date): string => moment.toISOString().slice(0, 16).replace('T', ' ')
