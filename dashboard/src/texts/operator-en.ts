import { type Areas, joinAreas } from './join.ts'

/** What operators alone read. The staff of merchants does not load it. */
export const catalogue = joinAreas(
  import.meta.glob<Areas[string]>(
    './en/{findings,health,ledger,liability,messages,program,program-settings,proposals}.json',
    {
      eager: true,
      import: 'default',
    },
  ),
)
