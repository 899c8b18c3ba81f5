import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ProgramFacts, programOptions } from '../api/session.ts'
import { idOf, usePathParam } from './merchant.ts'

export interface CurrentProgram extends ProgramFacts {
  /** As the API's paths take it: `{ params: { path: { programId } } }`. */
  readonly programId: number
}

/** The program whose page is open. Only for pages below `/p/…`. */
export function useProgram(): CurrentProgram {
  const programId = idOf(usePathParam('programId'))
  return { ...useSuspenseQuery(programOptions(programId)).data, programId }
}

/** The same for the frame around the page: undefined while there is none, or none that the reader may see. */
export function useOpenProgram(): CurrentProgram | undefined {
  const { programId = '' } = useParams({ strict: false })
  const id = Number(programId)
  const { data } = useQuery({ ...programOptions(id), enabled: Number.isSafeInteger(id) && id > 0, throwOnError: false })
  return data === undefined ? undefined : { ...data, programId: data.program_id }
}
