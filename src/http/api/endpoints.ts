/** Which methods each path has, for the 405 with its `Allow` and for preflights. */

export interface Endpoint {
  readonly method: string
  /** With `:names`; a `*` at the end stands for one or more segments. */
  readonly path: string
  readonly cors?: 'any' | undefined
  /** People read it, so its failures are pages too. */
  readonly page?: boolean | undefined
}

export interface KnownPath {
  /** As `Allow` lists them. */
  readonly methods: readonly string[]
  readonly cors: boolean
  readonly page: boolean
}

/** Takes a URL. Gives what its path allows, or undefined when no endpoint has the path. */
export type FindPath = (url: string) => KnownPath | undefined

/**
 * Takes every endpoint. When a URL fits several paths, the one with the fewest `:names` counts, and one that ends in
 * `*` only when no other does. Throws on duplicates.
 */
export function knownPaths(endpoints: readonly Endpoint[]): FindPath {
  const byPath = Map.groupBy(endpoints, (endpoint) => endpoint.path)
  const known = Array.from(byPath, ([path, own]) => ({
    pattern: patternOf(path),
    names: nameCount(path),
    ...describe(path, own),
  }))
  known.sort((a, b) => a.names - b.names)
  return (url) => {
    const path = url.split('?', 1)[0] ?? ''
    return known.find(({ pattern }) => pattern.test(path))
  }
}

function describe(path: string, endpoints: readonly Endpoint[]): KnownPath {
  const methods = new Set<string>()
  for (const { method } of endpoints) {
    if (methods.has(method)) throw new Error(`route table, ${method} ${path}: listed twice`)
    methods.add(method)
    if (method === 'GET') methods.add('HEAD')
  }
  const cors = endpoints.some((endpoint) => endpoint.cors !== undefined)
  if (cors) methods.add('OPTIONS')
  const page = endpoints.some((endpoint) => endpoint.page === true)
  return { methods: [...methods].sort(), cors, page }
}

function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment === '*' ? '.+' : segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.')))
  return new RegExp(`^${segments.join('/')}$`)
}

function nameCount(path: string): number {
  return path.split('/:').length + (path.endsWith('/*') ? 1_000 : 0)
}
