import type { Uuid } from '../../domain/ids.ts'

/** Shorter than the pause after which the page that waits for a payment looks again. */
const pause_ms = 3_000

type Ask<Answer> = (program_id: number, payment_uuid: Uuid) => Promise<Answer>

interface Answered<Answer> {
  readonly at_ms: number
  readonly answer: Answer
}

/**
 * Asks a provider of one payment at most once at a time and once in a few seconds, however often it is asked: whoever comes
 * meanwhile, or too early, is given the same answer. Each process keeps its own, those of the last seconds alone.
 */
export function createThrottledAsk<Answer>(askProvider: Ask<Answer>): Ask<Answer> {
  const asking = new Map<Uuid, Promise<Answer>>()
  /** The oldest first. */
  const answers = new Map<Uuid, Answered<Answer>>()
  return (program_id, payment_uuid) => {
    purgeOld(answers)
    const answered = answers.get(payment_uuid)
    if (answered !== undefined) return Promise.resolve(answered.answer)
    const known = asking.get(payment_uuid)
    if (known !== undefined) return known
    const answer = ask(program_id, payment_uuid).finally(() => asking.delete(payment_uuid))
    asking.set(payment_uuid, answer)
    return answer
  }

  async function ask(program_id: number, payment_uuid: Uuid): Promise<Answer> {
    const answer = await askProvider(program_id, payment_uuid)
    answers.set(payment_uuid, { at_ms: performance.now(), answer })
    return answer
  }
}

function purgeOld(answers: Map<Uuid, Answered<unknown>>): void {
  const now_ms = performance.now()
  for (const [uuid, { at_ms }] of answers) {
    if (now_ms - at_ms < pause_ms) return
    answers.delete(uuid)
  }
}
