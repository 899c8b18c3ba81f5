import type { Transaction } from '../../db/transaction.ts'
import { withoutPersonalData } from '../../domain/erasure.ts'
import type { Uuid } from '../../domain/ids.ts'
import { type SecretBox, SecretError } from '../../lib/secrets.ts'
import { findAnswers, type KeptAnswer, replaceAnswer } from './queries.ts'
import { answerBelongsTo } from './service.ts'

const page_size = 500
const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * Takes personal data out of the stored answers about orders. Reads every answer of the program: they are sealed, and
 * kept for a day.
 */
export async function eraseAnswers(
  { tx, secrets }: { readonly tx: Transaction; readonly secrets: SecretBox },
  program_id: number,
  orders: ReadonlySet<Uuid>,
): Promise<void> {
  let after: KeptAnswer | undefined
  do {
    const page: KeptAnswer[] = await tx.run(findAnswers(program_id, after, page_size))
    for (const row of page) {
      const text = opened(secrets, row)
      const isAbout = text?.match(uuidPattern)?.some((uuid) => orders.has(uuid as Uuid)) === true
      if (text !== null && isAbout)
        void tx.run(replaceAnswer(row, secrets.seal(withoutOrder(text), answerBelongsTo(row))))
    }
    after = page.length < page_size ? undefined : page.at(-1)
  } while (after !== undefined)
}

/** Null for an answer that neither key opens: nobody can read it. */
function opened(secrets: SecretBox, row: KeptAnswer): string | null {
  try {
    return secrets.open(row.answer, answerBelongsTo(row))
  } catch (error) {
    if (error instanceof SecretError) return null
    throw error
  }
}

function withoutOrder(text: string): string {
  const answer: unknown = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return text
  const { data } = answer
  if (typeof data !== 'object' || data === null) return text
  return JSON.stringify({ ...answer, data: withoutPersonalData({ ...data }) })
}
