import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayOf } from '../../src/domain/day.ts'
import { terms } from '../../src/domain/terms.ts'
import { createTerms } from '../../src/features/merchants/terms.ts'
import { type App, makeProgram, startApp } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

// /terms answered with our own text under a version that it does not have: a customer who looks up what they agreed to read
// something else.

const database = testDatabase()
const clock = { now: () => new Date() }
const by = { source: 'dashboard', name: 'operator' } as const
let app: App
beforeAll(async () => {
  app = await startApp(database)
})
afterAll(() => app.stop())

it('a version is shown with its own text, and an unknown one is not there', async () => {
  const { program_id } = await makeProgram(database.db)
  const begins_on = dayOf(clock.now())
  const own = { version: '2100-01', begins_on, text_en: 'Ours\n\nBe kind.', text_ar: 'شروطنا\n\nكن لطيفا.' }
  await createTerms({ db: database.db, clock }).add(program_id, own, by)
  const shown = async (version: string) => {
    const { status, text } = await app.page(`/terms?program=${program_id}&version=${version}`)
    return [status, text.includes('Be kind.')]
  }
  expect(await shown('2100-01')).toEqual([200, true])
  expect(await shown(terms.version)).toEqual([200, false])
  for (const unknown of ['2099-01', '']) expect(await shown(unknown)).toEqual([404, false])
})
