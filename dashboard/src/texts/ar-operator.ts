import { type Areas, joinAreas } from './join.ts'

export const catalogue = joinAreas(
  import.meta.glob<Areas[string]>('./ar/operator/*.json', { eager: true, import: 'default' }),
)
