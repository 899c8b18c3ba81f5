/** The programs and systems that a list of sessions names, the more special ones first. */
const programs = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const
const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Takes a `User-Agent` header; gives the browser and the system in short (`Firefox, Linux`), or null when it says neither. */
export function shortBrowser(header: string | undefined): string | null {
  if (header === undefined) return null
  const text = header.slice(0, 500)
  const named = [programs, systems].flatMap((list) => list.find(([, pattern]) => pattern.test(text))?.[0] ?? [])
  return named.length === 0 ? null : named.join(', ')
}
