import { describe, expect, it } from 'vitest'
import { checkoutStage } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { wordsOf } from '../support/shopper.ts'

// What went wrong: a stranger stored a checkout of 19,500 products, and each view of its page read, drew and sent them all:
// up to a second in which nobody else was answered. Pages list 50, and the rest stays in the database.

const database = testDatabase()
const stage = checkoutStage(database)

const line = (name: string) => ({ product_name: name, product_price: 1, quantity: 3 })
const lines = (count: number) => Array.from({ length: count }, (_, index) => line(`Tea no. ${index + 1}.`))

/** As if it had been opened before there were bounds. */
async function store(order_uuid: string, items: readonly object[]): Promise<void> {
  const text = 'update orders set items = $2 where program_id = $3 and order_uuid = $1'
  const { program_id } = stage.shop.merchant
  await database.owner.run({ text, values: [order_uuid, JSON.stringify(items), program_id] })
}

describe('the page of an order', () => {
  it.each([
    [1, '', ''],
    [50, '', ''],
    [51, 'and 1 more', 'ومنتج آخر'],
    [52, 'and 2 more', 'ومنتجان آخران'],
    [53, 'and 3 more', 'و3 منتجات أخرى'],
    [1_000, 'and 950 more', 'و950 منتجًا آخر'],
  ])('of %i lines lists at most 50 and says how many more there are', async (count, english, arabic) => {
    const { path } = await stage.open({ products: lines(count) })
    const page = await stage.shopper().open(path)
    const words = wordsOf(page)
    const shown = Math.min(count, 50)
    expect(page.text.match(/Tea no\. \d+\./g)).toHaveLength(shown)
    expect(words).toContain(`Tea no. ${shown}. 3 × SAR 1.00${english === '' ? '' : ` ${english}`}`)
    expect(words).not.toContain('Tea no. 51.')
    if (english === '') expect(words).not.toMatch(/and \d+ more/)
    if (arabic !== '') expect(wordsOf(await stage.shopper('ar').open(path))).toContain(arabic)
  })

  it('stored before the bound stays small, and its order is unchanged', async () => {
    const { path, order_uuid } = await stage.open({ products: lines(1) })
    await store(order_uuid, lines(19_500))
    const page = await stage.shopper().open(path)
    expect(wordsOf(page)).toContain('and 19,450 more')
    expect(page.text.length).toBeLessThan(40_000)
    const reply = await stage.app.call('GET', `/api/v1/orders/${order_uuid}`, { key: stage.shop.private_key })
    expect((reply.body.data as { items: unknown[] }).items).toHaveLength(19_500)
  })

  it('stored before the bound of names shows the beginning of a long one', async () => {
    const { path, order_uuid } = await stage.open({ products: lines(1) })
    await store(
      order_uuid,
      Array.from({ length: 7 }, () => line('ش'.repeat(140_000))),
    )
    const page = await stage.shopper().open(path)
    expect(page.text.match(/ش+/g)?.map((name) => name.length)).toEqual(Array.from({ length: 7 }, () => 500))
  })

  it('without products lists none', async () => {
    const { path } = await stage.open()
    expect((await stage.shopper().open(path)).text).not.toContain('class="items"')
  })
})
