import { type Areas, joinAreas } from './join.ts'

export const catalogue = joinAreas(
  import.meta.glob<Areas[string]>('./en/operator/*.json', { eager: true, import: 'default' }),
)
