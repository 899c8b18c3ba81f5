import { beforeAll, describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { asPoints } from '../../src/domain/points.ts'
import { adjustWallet } from '../../src/features/wallet/adjust.ts'
import { testDatabase } from '../support/database.ts'
import { freshPhone, walletOf } from '../support/earnings.ts'
import { customerWith } from '../support/orders.ts'
import { titleOf, wordsOf } from '../support/shopper.ts'
import { walletStage } from '../support/wallet-stage.ts'
import { liveWithPoints } from '../support/wallets.ts'

// The wallet shows spendable points, reserved points, and the reason for every movement.

const database = testDatabase({ leaves: ['open holds'] })
const stage = walletStage(database)
const phone = freshPhone()

beforeAll(async () => {
  const { app, clock, cafe, books } = stage
  await liveWithPoints(app.services, { phone, name: 'نورة القحطاني', clock, stores: [cafe, books] })
})

/** The rows of the history as they are read, a movement each. */
function movementsOf(text: string): string[] {
  const [, history = ''] = text.split(/<h2[^>]*>(?:History|حركة النقاط)<\/h2>/)
  return [...history.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, row = '']) => wordsOf({ text: `<body>${row}` }).trim())
}

/** Purchases of 10 points each, one after another. */
async function buyer(purchases: number): Promise<Phone> {
  const buyer = freshPhone()
  for (let count = 1; count <= purchases; count += 1)
    await stage.customer(buyer).buy(stage.cafe, 100, `${buyer}-N-${count}`)
  return buyer
}

describe('the wallet', () => {
  it('gives the reason for every movement in English, the newest first', async () => {
    const page = await (await stage.signedIn(phone)).open('/wallet')
    expect(movementsOf(page.text)).toEqual([
      'Reserved for your order at Corner Café Order 1052 −300 Balance 1,319',
      'Taken back: refund at Corner Café Order 1001 −845 Balance 1,619',
      'Rating of Corner Café +100 Balance 2,464',
      'No longer reserved for your order at Corner Café Order 1038 +500 Balance 2,364',
      'Reserved for your order at Corner Café Order 1038 −500 Balance 1,864',
      'Taken back: refund at مكتبة الحكمة Order INV-2261 Returned by the customer −570 Balance 2,364',
      'Returned: refund at مكتبة الحكمة Order INV-2261 Returned by the customer +600 Balance 2,934',
      'Taken back: refund at مكتبة الحكمة Order INV-2207 نسخة تالفة −500 Balance 2,334',
      'For what you paid at مكتبة الحكمة Order INV-2261 +1,140 Balance 2,834',
      'Used at مكتبة الحكمة Order INV-2261 −1,200 Balance 1,694',
      'Purchase at مكتبة الحكمة Order INV-2207 +1,999 Balance 2,894',
      'Rating of قهوة عربية 250 جم at Corner Café +50 Balance 895',
      'Purchase at Corner Café Order 1001 +845 Balance 845',
    ])
  })

  it('gives the reasons in Arabic', async () => {
    const page = await (await stage.signedIn(phone, 'ar')).open('/wallet')
    expect(movementsOf(page.text)).toEqual([
      'حجز لطلبك من Corner Café الطلب 1052 −300 الرصيد 1,319',
      'خصم بعد استرداد من Corner Café الطلب 1001 −845 الرصيد 1,619',
      'تقييم متجر Corner Café +100 الرصيد 2,464',
      'إلغاء الحجز لطلبك من Corner Café الطلب 1038 +500 الرصيد 2,364',
      'حجز لطلبك من Corner Café الطلب 1038 −500 الرصيد 1,864',
      'خصم بعد استرداد من مكتبة الحكمة الطلب INV-2261 Returned by the customer −570 الرصيد 2,364',
      'إعادة بعد استرداد من مكتبة الحكمة الطلب INV-2261 Returned by the customer +600 الرصيد 2,934',
      'خصم بعد استرداد من مكتبة الحكمة الطلب INV-2207 نسخة تالفة −500 الرصيد 2,334',
      'نقاط على ما دفعته لدى مكتبة الحكمة الطلب INV-2261 +1,140 الرصيد 2,834',
      'استبدال نقاط لدى مكتبة الحكمة الطلب INV-2261 −1,200 الرصيد 1,694',
      'شراء من مكتبة الحكمة الطلب INV-2207 +1,999 الرصيد 2,894',
      'تقييم قهوة عربية 250 جم من Corner Café +50 الرصيد 895',
      'شراء من Corner Café الطلب 1001 +845 الرصيد 845',
    ])
  })

  it('shows what can be spent and its worth, what is reserved and for which order, and days of Riyadh', async () => {
    const words = wordsOf(await (await stage.signedIn(phone)).open('/wallet'))
    const { posted, held } = (await walletOf(database.db, stage.program_id, phone)) ?? {}
    expect([posted, held]).toEqual([1_619, 300])
    expect(words).toContain('Points to spend 1,319 Worth SAR 6.59')
    expect(words).toMatch(/300 points reserved You chose them .* Corner Café Order 1052 5 November 2026 300/)
    expect(words).toContain(`05•• ••• ${phone.slice(-3)}`)
    for (const day of ['5 November 2026', '1 November 2026', '3 October 2026']) expect(words).toContain(day)
  })

  it('counts a purchase an hour before midnight in UTC to the next day', async () => {
    const night = freshPhone()
    const late = Date.parse('2026-11-30T23:10:00Z')
    stage.clock.advance((late - stage.clock.now().getTime()) / 1000)
    await stage.customer(night).buy(stage.cafe, 10_000)
    const page = await (await stage.signedIn(night)).open('/wallet')
    expect(page.text).toMatch(/<h3><time datetime="2026-11-30T23:10:00\.000Z">1 December 2026</)
  })

  it('explains a balance below zero', async () => {
    const spender = stage.customer(freshPhone())
    const order = await spender.buy(stage.cafe, 10_000)
    const used = await spender.reserve(stage.books, { total: 500, points: 1_000 })
    const { services } = stage.app
    expect((await services.readOrder(stage.books, used)).order_status).toBe('approved')
    await services.refundOrder(stage.cafe, order, { amount_halalas: null, reason: null })
    const words = wordsOf(await (await stage.signedIn(spender.phone)).open('/wallet'))
    expect(words).toContain('Points to spend −1,000 More points were taken back than you had left, as after a refund.')
    expect(words).not.toContain('Worth')
  })

  it('does not blame a refund for points that the program took by hand', async () => {
    const debtor = await customerWith(database.db, stage.cafe, { points: 100 })
    const { program } = stage.cafe
    const asked = { program, phone: debtor, typed: debtor, points: asPoints(-400), reason: 'Given twice' }
    await adjustWallet(database.db, stage.app.clock, asked)
    const words = wordsOf(await (await stage.signedIn(debtor)).open('/wallet'))
    expect(words).toContain('Points to spend −300 More points were taken back than you had left')
    expect(words).not.toContain('A purchase was refunded')
    expect(words).toContain('Given twice')
  })

  it('lists what the service adjusted, in the reader’s language', async () => {
    const page = await (await stage.signedIn('500000001' as Phone, 'ar')).open('/wallet')
    expect(movementsOf(page.text)).toEqual(['إضافة من البرنامج رصيد البيئة التجريبية +10,000 الرصيد 10,000'])
    expect(wordsOf(page)).toContain('محفظة النقاط') // nobody has given a name
  })

  it('separates input from outside from its own words', async () => {
    const victim = freshPhone()
    await stage.customer(victim, '<img src=x onerror=alert(1)>').buy(stage.cafe, 10_000, '"><script>alert(1)</script>')
    for (const path of ['/wallet', '/wallet/statement']) {
      const { text } = await (await stage.signedIn(victim)).open(path)
      expect(text).not.toMatch(/<script>|<img/)
      expect(text).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>')
      expect(text).toContain('<bdi>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>')
    }
  })
})

describe('the history', () => {
  it('pages through all movements, each once, to the oldest and back', async () => {
    const me = await stage.signedIn(await buyer(47))
    const seen: string[] = []
    const sizes: number[] = []
    let path: string | undefined = '/wallet'
    while (path !== undefined) {
      const page = await me.open(path)
      const found = [...page.text.matchAll(/Order <bdi>\d+-(N-\d+)</g)].map(([, number]) => number ?? '')
      sizes.push(found.length)
      seen.push(...found)
      expect(page.text.includes('Points to spend')).toBe(path === '/wallet')
      expect(titleOf(page)).toBe(path === '/wallet' ? 'Points wallet' : 'History · Points wallet')
      if (path !== '/wallet') expect(page.text).toMatch(/href="\/wallet"[^>]*><span>Newest/)
      path = /href="(\/wallet\?before=\d+)"/.exec(page.text)?.[1]
    }
    expect(sizes).toEqual([20, 20, 7])
    expect(seen).toEqual(Array.from({ length: 47 }, (_, index) => `N-${47 - index}`))
  })

  it.each([20, 21])('of %d movements has as many pages as it needs', async (count) => {
    const page = await (await stage.signedIn(await buyer(count))).open('/wallet')
    expect(page.text.includes('before=')).toBe(count > 20)
  })

  it('shows the newest movements for a made-up address', async () => {
    const me = await stage.signedIn(phone)
    for (const before of ['0', '-1', 'x', '1e3', '']) {
      const page = await me.open(`/wallet?before=${before}`)
      expect([page.status, titleOf(page)]).toEqual([200, 'Points wallet'])
    }
    const before_all = await me.open('/wallet?before=1')
    expect(before_all.text).toMatch(/href="\/wallet"[^>]*><span>Newest/)
    expect(before_all.text).not.toContain('Order ')
  })
})
