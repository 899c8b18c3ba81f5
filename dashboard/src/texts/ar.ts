import { type Areas, joinAreas } from './join.ts'

/** Without what operators alone read: `operator-ar.ts` has that. */
export const catalogue = joinAreas(
  import.meta.glob<Areas[string]>(
    ['./ar/*.json', '!./ar/{findings,health,ledger,liability,messages,program,program-settings,proposals}.json'],
    {
      eager: true,
      import: 'default',
    },
  ),
)
