import { expect, it } from 'vitest'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { earningOrder } from '../support/orders.ts'
import { staffedShop } from '../support/staff-pages.ts'

const database = testDatabase()
const browser = testBrowser()
const clock = new TestClock('2026-02-01T09:00:00.000Z')
const staff = staffedShop(database, clock)

// A line broke between an amount and the full stop of its sentence, so that a tile of the liability ended with a lone dot.
it('the end of a sentence stays on the line of its amount', async () => {
  const { order_uuid } = await earningOrder(database.db, staff.shop.merchant, { clock })
  const page = await openDashboard(browser, { origin: staff.origin, path: staff.pathOf(`orders/${order_uuid}`) })
  const isOnItsLine = await page.evaluate<boolean>(`(() => {
    const money = document.querySelector('main span[dir="ltr"]:has(svg[role="img"])').cloneNode(true)
    const sentence = document.createElement('p')
    sentence.append('At the rates of then: ', money, '.')
    document.querySelector('main').append(sentence)
    const begin = sentence.getBoundingClientRect().left
    sentence.style.inlineSize = money.getBoundingClientRect().right - begin + 'px'
    const stop = document.createRange()
    stop.selectNode(sentence.lastChild)
    return stop.getBoundingClientRect().top < money.getBoundingClientRect().bottom
  })()`)
  expect(isOnItsLine).toBe(true)
})
