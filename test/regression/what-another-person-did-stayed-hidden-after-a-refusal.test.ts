import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { operatedShop } from '../support/operated-shop.ts'
import { makePerson } from '../support/staff.ts'

const { app, origin, shop, viewer } = await operatedShop()
const browser = testBrowser()

// A dialog said that there is nothing here any more. The list behind it went on to offer the same.
it('a member whom somebody else has removed is gone once the refusal was read', async () => {
  const { program_id, merchant_id } = shop()
  const person = await makePerson(app(), { program_id, merchant_id, role: 'support' })
  const path = `/m/${merchant_id}/team`
  const page = await openDashboard(browser, { origin, path, viewer: viewer(), mayFail: /\/team\/[\w-]+$/ })
  const row = page.getByRole('row').filter({ hasText: person.email })
  await row.getByRole('button', { name: /^Change role/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Manager' }).click()
  expect((await viewer().call('DELETE', `/merchants/${merchant_id}/team/${person.staff_uuid}`)).status).toBe(200)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await row.waitFor({ state: 'detached' })
})

it('a proposal that somebody else has decided waits no more once the refusal was read', async () => {
  const colleague = await makePerson(app(), 'operator')
  const api = `/programs/${shop().program_id}`
  const { name: _, ...saved } = (await colleague.call('GET', `${api}/settings`)).body.data as Record<string, unknown>
  const { operator_name: _name, operator_contact: _contact, ...rest } = saved
  const rule = { ...rest, two_person: { rates: true, settlements: false } }
  expect((await colleague.call('PATCH', `${api}/settings`, rule)).status).toBe(200)
  const { last_day } = (await colleague.call('GET', `${api}/rates`)).body.data as { last_day: string }
  await colleague.call('POST', `${api}/rates`, { begins_on: last_day, sar_per_point: 0.2 })
  const path = `/p/${shop().program_id}/proposals`
  const page = await openDashboard(browser, { origin, path, viewer: viewer(), mayFail: /\/confirm$/ })
  const [proposal] = (await colleague.call('GET', `${api}/proposals`)).body.data as { proposal_uuid: string }[]
  expect((await colleague.call('POST', `${api}/proposals/${proposal?.proposal_uuid}/reject`)).status).toBe(200)
  const confirm = page.getByRole('button', { name: 'Confirm' })
  await confirm.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await confirm.waitFor({ state: 'detached' })
})
