import { describe, expect, it } from 'vitest'
import type { Phone } from '../../src/domain/phone.ts'
import { terms } from '../../src/domain/terms.ts'
import { resetLimits } from '../support/checkout-stage.ts'
import { testDatabase } from '../support/database.ts'
import { earningOf, freshPhone, inProgram } from '../support/earnings.ts'
import { codeIn, formOf, type Shopper, titleOf, type Visit, wordsOf, wrongFor } from '../support/shopper.ts'
import { walletStage } from '../support/wallet-stage.ts'
import { agreed, makeWalletProgram, signIn } from '../support/wallets.ts'

// Signing in and joining, over HTTP and without a script (docs/spec/checkout.md#steps).

const database = testDatabase({ leaves: ['due messages'] })
const stage = walletStage(database)

const tokenOf = (me: Shopper) => me.cookies.get('__Host-nuqta-wallet')
const sessions = () => database.db.run<{ phone: string }>({ text: 'select phone from wallet_session', values: [] })

async function active(name: string | null = null): Promise<Phone> {
  const phone = freshPhone()
  await stage.customer(phone, name).buy(stage.cafe, 10_000)
  await agreed(database, stage.program_id, phone)
  return phone
}

async function asked(phone: string, me = stage.visitor()): Promise<{ me: Shopper; page: Visit }> {
  return { me, page: await me.submit(await me.open('/wallet'), 'phone', { phone }) }
}

describe('a customer of the programme', () => {
  it('signs in with a number and a code, and is known by name', async () => {
    const phone = await active('نورة')
    const { me, page } = await asked(`٠${phone}`)
    expect(titleOf(page)).toBe('Enter the code · Points wallet')
    expect(page.text).toContain(`05•• ••• ${phone.slice(-3)}`)
    expect(page.text).toContain(`href="/wallet?at=number"`)
    const home = await me.submit(page, 'code', { code: codeIn(page) })
    expect([home.status, home.path, titleOf(home)]).toEqual([200, '/wallet', 'Points wallet'])
    expect(wordsOf(home)).toContain('Hello نورة')
    expect(wordsOf(home)).toContain('Points to spend 1,000 Worth SAR 5.00')
  })

  it('who was created by an earning is asked for consent at the first sign-in only', async () => {
    const phone = freshPhone()
    await stage.customer(phone, 'Noura').buy(stage.cafe, 10_000)
    const { me, page } = await asked(phone)
    const join = await me.submit(page, 'code', { code: codeIn(page) })
    expect(titleOf(join)).toBe('Welcome · Points wallet')
    expect(formOf(join, 'join').fields['name']).toBe('Noura')
    // Nothing of the wallet is shown before, and nobody is held there.
    for (const path of ['/wallet?before=9', '/wallet/statement', '/wallet/statement?from=2026-10-01&to=2026-10-31'])
      expect([path, titleOf(await me.open(path))]).toEqual([path, 'Welcome · Points wallet'])
    const other = await asked(phone)
    const left = await other.me.submit(
      await other.me.submit(other.page, 'code', { code: codeIn(other.page) }),
      'sign-out',
    )
    expect(wordsOf(left)).toContain('You are signed out.')
    const home = await me.submit(join, 'join', { name: 'Noura Ali', terms: '2026-11' })
    expect(wordsOf(home)).toContain('Hello Noura Ali')
    expect(wordsOf(await me.open('/wallet'))).toContain('Points to spend 1,000')
    const consents = `select k.source from consent k join customer c
      on c.program_id = k.program_id and c.customer_id = k.customer_id where c.phone = $1`
    expect(await database.owner.run({ text: consents, values: [phone] })).toEqual([{ source: 'wallet' }])
  })

  it('is not asked twice, and a number sent by a page that was left open changes nothing', async () => {
    const me = stage.visitor()
    const first = await me.open('/wallet')
    const phone = await active()
    await signIn(me, phone)
    const before = tokenOf(me)
    expect(wordsOf(await me.submit(first, 'phone', { phone: '0555000111' }))).toContain('Points to spend 1,000')
    expect(tokenOf(me)).toBe(before)
  })
})

describe('before the phone is proven', () => {
  it('the pages do not reveal whether a number is known', async () => {
    const { program_id, cafe } = stage
    const [known, invited, unknown] = [await active('Noura'), freshPhone(), freshPhone()]
    await stage.app.services.earn(earningOf(inProgram(cafe, { activation: 'required' }), { phone: invited }))
    const texts = []
    for (const phone of [known, invited, unknown]) {
      const { page } = await asked(phone)
      const code = codeIn(page)
      const told = page.text.replaceAll(code, 'CODE').replaceAll(`••• ${phone.slice(-3)}`, 'END')
      texts.push(told.replace(/name="csrf" value="[^"]*"|data-(?:resend-at|now)="\d+"|<time.*?<\/time>/g, ''))
      expect(page.text).not.toMatch(/Noura|1,000/)
    }
    expect(new Set(texts).size).toBe(1)
    const made = {
      text: 'select 1 as one from customer where program_id = $1 and phone = $2',
      values: [program_id, unknown],
    }
    expect(await database.db.run(made)).toEqual([])
  })

  it.each([
    ['en', '12', 'That is not a Saudi mobile number. It has ten digits and begins with 05.'],
    ['ar', '0112345678', 'هذا ليس رقم جوال سعوديًا. يتكوّن من عشرة أرقام ويبدأ بـ 05.'],
    ['en', '  ', 'Enter your mobile number.'],
    ['en', '"><script>', 'That is not a Saudi mobile number'],
  ] as const)('an invalid number stays in the form to be corrected: %s %s', async (locale, typed, said) => {
    const before = await sessions()
    const { page } = await asked(typed, stage.visitor(locale))
    expect(page.status).toBe(422)
    expect(titleOf(page)).toMatch(locale === 'ar' ? /^خطأ: / : /^Error: /)
    expect(wordsOf(page)).toContain(said)
    expect(formOf(page, 'phone').fields['phone']).toBe(typed)
    expect(page.text).toMatch(/aria-invalid="true"/)
    expect(await sessions()).toEqual(before)
  })

  it('another number can be given; the code of the first is over', async () => {
    const [first, second] = [await active(), await active()]
    const { me, page } = await asked(first)
    const number = await me.open('/wallet?at=number')
    expect(number.text).toContain('name="phone"')
    const next = await me.submit(number, 'phone', { phone: second })
    expect(next.text).toContain(`05•• ••• ${second.slice(-3)}`)
    const tried = await me.submit(next, 'code', {
      code: codeIn(page) === codeIn(next) ? wrongFor(codeIn(next)) : codeIn(page),
    })
    expect(wordsOf(tried)).toContain('That code is not right. You have 4 tries left.')
    expect(wordsOf(await me.submit(tried, 'code', { code: codeIn(next) }))).toContain('Points to spend')
  })

  it('a wrong code says how many tries are left, and five wrong ones end it', async () => {
    const { me, page } = await asked(await active(), stage.visitor('ar'))
    const wrong = wrongFor(codeIn(page))
    const said = []
    for (let count = 0; count < 5; count += 1) {
      const answer = await me.submit(page, 'code', { code: wrong })
      const error = /<p class="wrong"[\s\S]*?<span>([^<]*)</.exec(answer.text)
      said.push((error ?? /notice-warning[\s\S]*?<div>([^<]*)</.exec(answer.text))?.[1])
      expect(answer.path).not.toContain(wrong)
    }
    expect(said).toEqual([
      'الرمز غير صحيح. بقيت 4 محاولات.',
      'الرمز غير صحيح. بقيت 3 محاولات.',
      'الرمز غير صحيح. بقيت محاولتان.',
      'الرمز غير صحيح. بقيت محاولة واحدة.',
      'لم يعد هذا الرمز صالحًا. اطلب رمزًا جديدًا.',
    ])
    const over = await me.submit(page, 'code', { code: codeIn(page) })
    expect(wordsOf(over)).toContain('لم يعد هذا الرمز صالحًا')
    // A dead field would lead nowhere.
    expect(over.text).not.toContain('name="code"')
  })

  it('a code without six digits costs no try', async () => {
    const { me, page } = await asked(await active())
    for (const code of ['', '12345', 'abcdef', '1234567']) {
      const answer = await me.submit(await me.open('/wallet'), 'code', { code })
      expect(wordsOf(answer)).toContain('Enter the six digits of the code.')
    }
    const spaced = codeIn(page).replace(/(...)(...)/, ' $1-$2 ')
    expect(wordsOf(await me.submit(page, 'code', { code: spaced }))).toContain('Points to spend')
  })

  it('a new code is sent after a while, and says so; too soon it says from when', async () => {
    const { me, page } = await asked(await active())
    const soon = await me.submit(page, 'resend')
    expect(wordsOf(soon)).toMatch(/No new code can be sent yet\. You can ask for one from \d\d:\d\d\./)
    expect(codeIn(soon)).toBe(codeIn(page))
    await resetLimits(database)
    const again = await me.submit(soon, 'resend')
    expect(wordsOf(again)).toContain('We sent a new code. The earlier one no longer works.')
    expect(wordsOf(await me.submit(again, 'code', { code: codeIn(again) }))).toContain('Points to spend')
  })

  it('after too many codes for a number the form stays, whoever asks', async () => {
    const phone = await active()
    for (let count = 0; count < 5; count += 1) await asked(phone)
    const { me, page } = await asked(phone)
    expect(wordsOf(page)).toMatch(/You can ask for one from \d\d:\d\d\./)
    expect(page.text).toContain('name="phone"')
    expect(page.path).not.toContain(phone)
    expect(tokenOf(me)).toBeUndefined()
  })

  it('ignores an old, forged or unknown note in the address', async () => {
    const me = stage.visitor()
    const plain = wordsOf(await me.open('/wallet'))
    const past = Date.now() - 60_000
    for (const query of [
      `note=too_many_codes&until=${past}`,
      'note=too_many_tries&until=9999999999999',
      'note=<b>',
      'note=joined',
    ])
      expect(wordsOf(await me.open(`/wallet?${query}`)), query).toBe(plain)
  })
})

describe('joining', () => {
  it('an unknown number is welcomed, and has an empty wallet that says how it fills', async () => {
    const phone = freshPhone()
    const me = stage.visitor('ar')
    const page = await signIn(me, phone)
    expect(titleOf(page)).toBe('أهلًا بك · محفظة النقاط')
    expect(page.text).toContain('href="/terms"')
    expect(wordsOf(page)).not.toContain('بانتظارك')
    const home = await me.submit(page, 'join', { name: '  سارة   العتيبي ', terms: terms.version })
    expect(home.path).toMatch(/^\/wallet\?note=joined&until=\d+$/)
    expect(wordsOf(home)).toContain('أهلًا سارة العتيبي')
    expect(wordsOf(home)).toContain('محفظتك مفتوحة الآن.')
    expect(wordsOf(home)).toContain('لا توجد حركات بعد')
    const consent = await database.owner.one({
      text: `select n.terms_version, n.locale, n.source from consent n join customer c
        on c.program_id = n.program_id and c.customer_id = n.customer_id where c.phone = $1`,
      values: [phone],
    })
    expect(consent).toEqual({ terms_version: terms.version, locale: 'ar', source: 'wallet' })
  })

  it('an invited customer sees how many points wait, and gets them by joining', async () => {
    const phone = freshPhone()
    const merchant = inProgram(stage.cafe, { activation: 'required' })
    for (const total of [10_000, 2_500])
      await stage.app.services.earn(earningOf(merchant, { phone, total, name: 'Huda' }))
    const me = stage.visitor()
    const page = await signIn(me, phone)
    expect(wordsOf(page)).toContain('Waiting for you, and in your wallet as soon as you join: 1,250 points.')
    expect(formOf(page, 'join').fields['name']).toBe('Huda')
    const home = await me.submit(page, 'join', { terms: terms.version })
    expect(wordsOf(home)).toContain('what was waiting for you is in it: 1,250 points')
    expect(wordsOf(home)).toContain('Points to spend 1,250')
    expect([...home.text.matchAll(/Purchase at/g)]).toHaveLength(2)
  })

  it.each([
    [{ name: ' ' }, ['Enter your name.', 'Please agree to the terms to continue.']],
    [{ name: 'Sara' }, ['Please agree to the terms to continue.']],
    [{ name: 'Sara', terms: '2020-01' }, ['The terms have just changed. Please read them again.']],
    [{ name: 'x'.repeat(256), terms: terms.version }, ['The name is too long.']],
  ])('nobody joins with %j', async (fields: Record<string, string>, said) => {
    const phone = freshPhone()
    const me = stage.visitor()
    const page = await me.submit(await signIn(me, phone), 'join', fields)
    expect([page.status, titleOf(page)]).toEqual([422, 'Error: Welcome · Points wallet'])
    for (const text of said)
      expect([...wordsOf(page).matchAll(new RegExp(text.replaceAll('.', '\\.'), 'g'))]).toHaveLength(2)
    expect(formOf(page, 'join').fields['name']).toBe(fields['name'])
    const made = { text: 'select 1 as one from customer where phone = $1', values: [phone] }
    expect(await database.db.run(made)).toEqual([])
    expect(wordsOf(await me.submit(page, 'join', { name: 'Sara', terms: terms.version }))).toContain('Hello Sara')
  })
})

describe('the address of the wallet', () => {
  it('can name another programme with its own wallet, and stays in every link', async () => {
    const other = await makeWalletProgram(database, 'Mall', ['Bakery'])
    const phone = await active('Noura')
    const path = `/wallet?program=${other.program_id}`
    const me = stage.visitor()
    const page = await signIn(me, phone, path)
    expect(titleOf(page)).toBe('Welcome · Points wallet')
    const home = await me.submit(page, 'join', { name: 'Noura', terms: terms.version })
    expect(wordsOf(home)).toContain('Points to spend 0')
    const links = [...home.text.matchAll(/(?:href|action)="(\/(?:wallet|terms)[^"]*)"/g)].map(([, link]) => link)
    expect(links.length).toBeGreaterThan(3)
    expect(links.filter((link) => !link?.includes(`program=${other.program_id}`))).toEqual([])
    // A sign-in counts for its own programme alone.
    expect((await me.open('/wallet')).text).toContain('name="phone"')
    expect(wordsOf(await me.open(path))).toContain('Points to spend 0')
  })

  it.each(['999999', '0', '-1', '1e3', 'x', '9'.repeat(30), ''])(
    'with the programme %j leads nowhere, and says so',
    async (program) => {
      const me = stage.visitor('ar')
      for (const path of ['/wallet', '/wallet/statement']) {
        const page = await me.open(`${path}?program=${program}`)
        expect([page.status, titleOf(page)]).toEqual([404, 'رابط المحفظة هذا لا يعمل · محفظة النقاط'])
      }
    },
  )
})
