/** Bounds of a free-form object. */
export interface FreeFormBounds {
  readonly max_bytes: number
  readonly max_depth: number
}

/**
 * Takes parsed JSON. Gives the bound that it exceeds in any case, the first that is found; null if it may be within both. A large
 * value must not cost the time to go through all of it, or to write it.
 */
export function exceededBy(value: unknown, { max_bytes, max_depth }: FreeFormBounds): keyof FreeFormBounds | null {
  let fewest_bytes = 0
  const visit = (value: unknown, depth: number): keyof FreeFormBounds | null => {
    fewest_bytes += typeof value === 'string' ? value.length + 2 : 1
    if (fewest_bytes > max_bytes) return 'max_bytes'
    if (typeof value !== 'object' || value === null) return null
    if (depth === max_depth) return 'max_depth'
    if (Array.isArray(value)) return firstOf(value, (item) => visit(item, depth + 1))
    return firstOf(Object.keys(value), (name) => {
      fewest_bytes += name.length + 3
      return visit(Reflect.get(value, name), depth + 1)
    })
  }
  return visit(value, 0)
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
