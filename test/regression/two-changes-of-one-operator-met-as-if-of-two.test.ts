import { expect, it } from 'vitest'
import { makeMerchant, testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'
import { makePerson } from '../support/staff.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
const app = testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

interface Standing {
  readonly standing: { readonly verified: boolean; readonly flows: { readonly store_rating: boolean } }
}

// Two cards change where a merchant stands. What was pressed on the second before the first was answered was refused:
// "Somebody else changed this".
it('a change that is made before another is answered waits for it', async () => {
  const { program_id } = await makeMerchant(app().db)
  const viewer = await makePerson(app(), 'operator')
  const merchants = `/programs/${program_id}/merchants`
  const { merchant_id } = (await viewer.call('POST', merchants, { name: 'Almond Tree' })).body.data as never
  const standing = async () =>
    ((await viewer.call('GET', `${merchants}/${merchant_id}`)).body.data as Standing).standing
  const before = await standing()
  expect(before.verified).toBe(false)
  const page = await openDashboard(browser, { origin, path: `/p/${program_id}/merchants/${merchant_id}`, viewer })
  const [held, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(`**${merchants}/${merchant_id}`, async (route) => {
    if (route.request().method() === 'PATCH') {
      asked.resolve()
      await held.promise
    }
    await route.continue()
  })
  await page.getByRole('switch', { name: 'Verified' }).click()
  await asked.promise
  const flow = page.getByRole('switch', { name: 'Store ratings' })
  await flow.click()
  await expect.poll(() => flow.isDisabled()).toBe(true)
  held.resolve()
  await expect.poll(() => flow.isEnabled()).toBe(true)
  expect(await standing()).toMatchObject({
    verified: true,
    flows: { store_rating: !before.flows.store_rating },
  })
})
