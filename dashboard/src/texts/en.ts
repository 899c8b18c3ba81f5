import { type Areas, joinAreas } from './join.ts'

/** Without what operators alone read: `operator-en.ts` has that. */
export const catalogue = joinAreas(
  import.meta.glob<Areas[string]>(
    ['./en/*.json', '!./en/{findings,health,ledger,liability,messages,program,program-settings,proposals}.json'],
    {
      eager: true,
      import: 'default',
    },
  ),
)
