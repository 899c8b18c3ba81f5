/** The query of a URL: plain texts, the first of each name, so that links stay readable and can be written by hand. */
export type Search = Readonly<Record<string, string | undefined>>

export function parseSearch(text: string): Search {
  return Object.fromEntries([...new URLSearchParams(text)].reverse())
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value !== null)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** A query for `<Link search>` and `navigate()`, whose types expect one schema a route. */
export function asLinkSearch(search: Search): never {
  return search as never
}
