import type { Catalogue, Entry } from './catalogue.ts'

/** The content of each file, by its path. */
export type Areas = Readonly<Record<string, Readonly<Record<string, Entry>>>>

/** Makes one map of the files of a language: `orders.json` with `title` gives `orders.title`. */
export function joinAreas(areas: Areas): Catalogue {
  return new Map(
    Object.entries(areas).flatMap(([path, texts]) => {
      const area = path.replace(/^.*\/|\.json$/g, '')
      return Object.entries(texts).map(([key, entry]) => [`${area}.${key}`, entry] as const)
    }),
  )
}
