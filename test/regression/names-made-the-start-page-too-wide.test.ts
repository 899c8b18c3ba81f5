import { beforeAll, it } from 'vitest'
import { createProgram } from '../../src/features/merchants/programs.ts'
import { makeMerchant, makeProgram, testApp } from '../support/api.ts'
import { expectToFit, testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson, type Person } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()
const word = 'W'.repeat(60)
let viewer: Person

beforeAll(async () => {
  await makeProgram(app().db)
  const now = new Date()
  const { program_id } = await createProgram(app().db, { name: word, environment: 'sandbox', now })
  await makeMerchant(app().db, { name: 'Sidra Coffee', program_id })
  viewer = await makePerson(app(), 'operator')
})

// A phone showed an operator's first page 66 pixels too wide, and the mails of a sandbox twice as wide as the phone.
it('a program and an address without a space break where the page ends', async () => {
  const home = await openDashboard(browser, { origin, path: '/', viewer, width: 360 })
  await home.getByText(`· ${word}`).waitFor()
  await expectToFit(home)
  const mail = { mail_uuid: word, subject: word, to: `${word}@shop.example`, text: word, created_at: new Date() }
  const answers = { '/mails': [mail] }
  const mails = await openDashboard(browser, { origin, path: '/mails', viewer, width: 360, answers })
  await mails.getByText(mail.to).waitFor()
  await expectToFit(mails)
})
