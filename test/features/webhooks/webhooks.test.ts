import { beforeAll, describe, expect, it } from 'vitest'
import type { Uuid } from '../../../src/domain/ids.ts'
import { secretBelongsTo } from '../../../src/features/webhooks/service.ts'
import { createSecretBox } from '../../../src/lib/secrets.ts'
import type { Reply } from '../../http/client.ts'
import { makeMerchant, makeProgram, startApp, testApp } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { outcomeOf, readTable, withField } from '../../support/tables.ts'

const database = testDatabase()
const secret_key = 'the secret key of the tests of webhooks'
const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['8.8.8.8', '2606:4700::1111'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['8.8.8.8', '192.168.0.1'],
  'here.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
}
const resolve = async (name: string) => names[name] ?? []
const app = testApp(database, { secret_key, webhook: { allow_loopback: false, resolve } })
const list = '/v1/webhooks'

const valid = { name: 'Main', url: 'https://shop.example.com/hooks?from=nuqta' }

interface View {
  readonly uuid: Uuid
  readonly merchant_id: number
  readonly name: string
  readonly url: string
  readonly secret: string
  readonly created_at: string
  readonly updated_at: string
}

const viewOf = ({ body }: Reply) => body.data as View
const viewsOf = ({ body }: Reply) => body.data as View[]

let program_id: number

beforeAll(async () => {
  program_id = (await makeProgram(database.db)).program_id
})

/** The key of a merchant without webhooks. */
async function merchantKey(): Promise<string> {
  return (await makeMerchant(database.db, { program_id })).private_key
}

async function register(key: string, name = 'Main'): Promise<View> {
  return viewOf(await app().post(list, key, { ...valid, name }))
}

// Rows for both bodies; a change may omit either field.
const fields = `
  name | ""                                | 422 name
  name | "   "                             | 422 name
  name | 1                                 | 422 name
  name | true                              | 422 name
  name | []                                | 422 name
  name | {}                                | 422 name
  name | "n"                               | 200
  name | "n×255"                           | 200
  name | "n×256"                           | 422 name
  name | "😀×255"                          | 200
  name | "a\\u0000b"                       | 422 name
  url  | ""                                | 422 url
  url  | 1                                 | 422 url
  url  | []                                | 422 url
  url  | {}                                | 422 url
  url  | "shop.example.com"                | 422 url
  url  | "/hooks"                          | 422 url
  url  | "//shop.example.com"              | 422 url
  url  | "https:shop.example.com"          | 422 url
  url  | "https://"                        | 422 url
  url  | "https:///hooks"                  | 422 url
  url  | "https:\\\\\\\\shop.example.com"     | 422 url
  url  | "https://shop.exa\\nmple.com"     | 422 url
  url  | "https://shop.example.com/a b"    | 422 url
  url  | "http://shop.example.com"         | 422 url
  url  | "ftp://shop.example.com"          | 422 url
  url  | "javascript:alert(1)"             | 422 url
  url  | "file:///etc/passwd"              | 422 url
  url  | "https://shop.example.com:99999/" | 422 url
  url  | "https://shop.example.com:0/" | 422 url
  url  | "https://user@shop.example.com"   | 422 url
  url  | "https://u:p@shop.example.com"    | 422 url
  url  | "https://8.8.8.8@10.0.0.1/"       | 422 url
  url  | "HTTPS://SHOP.EXAMPLE.COM/"       | 200
  url  | "https://shop.example.com:8443/h" | 200
  url  | "https://متجر.example/إشعار"      | 200
  url  | "https://8.8.8.8/"                | 200
  url  | "https://[2606:4700::1111]/"      | 200
  url  | "https://public.example/"         | 200
  url  | "https://not-yet.example/"        | 200
  url  | "https://inside.example/"         | 422 url
  url  | "https://both.example/"           | 422 url
  url  | "https://metadata.example/"       | 422 url
  url  | "https://here.example/"           | 422 url
  url  | "https://localhost/"              | 422 url
  url  | "http://localhost/"               | 422 url
  url  | "https://127.0.0.1/"              | 422 url
  url  | "https://2130706433/"             | 422 url
  url  | "https://[::1]/"                  | 422 url
  url  | "https://10.0.0.1/"               | 422 url
  url  | "https://169.254.169.254/latest"  | 422 url
  url  | "https://0x0a000001/"             | 422 url
  url  | "https://[::ffff:10.0.0.1]/"      | 422 url
  url  | "https://0.0.0.0/"                | 422 url
`

const creations = readTable(`
  field | value | outcome
  name  | absent | 422 name
  name  | null   | 422 name
  url   | absent | 422 url
  url   | null   | 422 url
  ${fields}
`)
const changes = readTable(`
  field | value | outcome
  name  | absent | 200
  name  | null   | 200
  url   | absent | 200
  url   | null   | 200
  ${fields.replace(/\|\s+422 name$/gm, (end, at: number) => (isBlank(at) ? '| 200' : end)).replace('url  | ""                                | 422 url', 'url  | "" | 200')}
`)

/** A blank string counts as absent (docs/spec/api.md#strings), and a change may omit a field. */
function isBlank(at: number): boolean {
  return /name \| "\s*"\s*$/.test(fields.slice(0, at))
}

describe('POST /v1/webhooks', () => {
  it.each(creations)('$field $value: $outcome', async ({ field = '', value = '', outcome }) => {
    const reply = await app().post(list, await merchantKey(), withField(valid, field, value))
    expect(outcomeOf(reply)).toBe(outcome)
  })

  it('accepts a URL of 500 characters and refuses one more', async () => {
    const key = await merchantKey()
    const long = `https://shop.example.com/${'a'.repeat(475)}`
    expect(long).toHaveLength(500)
    expect(outcomeOf(await app().post(list, key, { ...valid, url: long }))).toBe('200')
    expect(outcomeOf(await app().post(list, key, { ...valid, url: `${long}a` }))).toBe('422 url')
  })

  it.each(
    readTable(`
    body        | outcome
    (nothing)   | 422 name url
    {}          | 422 name url
    []          | 422 name url
    [1]         | 422 name url
    "text"      | 422 name url
    null        | 422 name url
    7           | 422 name url
    {"name":    | 400
    {"other":1} | 422 name url
  `),
  )('body $body: $outcome', async ({ body = '', outcome }) => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === '(nothing)' ? { headers } : { headers, bytes: body }
    expect(outcomeOf(await app().call('POST', list, { key: await merchantKey(), ...sent }))).toBe(outcome)
  })

  it('shows the whole secret once, and a mask afterwards', async () => {
    const key = await merchantKey()
    const made = await register(key)
    expect(made.secret).toMatch(/^whsec_[0-9a-z]{26}$/)
    const mask = `****${made.secret.slice(-4)}`
    const masked = { ...made, secret: mask }
    expect(viewOf(await app().get(`${list}/${made.uuid}`, key))).toEqual(masked)
    expect(viewsOf(await app().get(list, key))).toEqual([masked])
    const changed = await app().call('PATCH', `${list}/${made.uuid}`, { key, json: { name: 'New' } })
    expect(viewOf(changed).secret).toBe(mask)
  })

  it('stores the secret sealed and logs it nowhere', async () => {
    const { private_key, program_id, merchant_id } = await makeMerchant(database.db)
    const made = await register(private_key)
    const [row] = await database.owner.run<{ text: string; secret: Buffer }>({
      text: 'select w::text as text, secret from webhook w where webhook_uuid = $1',
      values: [made.uuid],
    })
    expect(row?.text).toContain(made.uuid)
    const clear = [made.secret, Buffer.from(made.secret).toString('hex'), made.secret.slice(6)]
    for (const text of clear) expect(row?.text).not.toContain(text)
    expect(app().logged.join('')).not.toContain(made.secret.slice(6, -4))
    const opened = createSecretBox(secret_key).open(
      row?.secret ?? Buffer.of(),
      secretBelongsTo({ program_id, merchant_id }, made.uuid),
    )
    expect(opened).toBe(made.secret)
  })

  it('keeps the URL as sent, without surrounding blanks', async () => {
    const url = 'HTTPS://Shop.Example.com:443/Hooks/../a?b=%20#c'
    expect(viewOf(await app().post(list, await merchantKey(), { name: ' Main ', url: ` ${url} ` }))).toMatchObject({
      name: 'Main',
      url,
    })
  })

  it.each(
    readTable(`
    url                        | text
    https://127.0.0.1/         | The url must not lead to loopback. In a sandbox, the setting NUQTA_WEBHOOK_ALLOW_LOOPBACK=true allows it.
    https://here.example/      | The url must not lead to loopback. In a sandbox, the setting NUQTA_WEBHOOK_ALLOW_LOOPBACK=true allows it.
    http://localhost:9000/     | The url must not lead to loopback. In a sandbox, the setting NUQTA_WEBHOOK_ALLOW_LOOPBACK=true allows it.
    https://10.0.0.1/          | The url must lead to a public address. Private, link-local and other reserved addresses are refused.
    https://inside.example/    | The url must lead to a public address. Private, link-local and other reserved addresses are refused.
    http://shop.example.com/   | The url must be a valid URL that begins with https://.
    https://a:b@shop.example/  | The url must not contain a user name or password. Deliveries carry the secret in X-Webhook-Secret.
  `),
  )('says of $url what to do', async ({ url, text }) => {
    const reply = await app().post(list, await merchantKey(), { name: 'Main', url })
    expect(reply.body.errors).toEqual({ url: [text] })
  })

  it('names all failing fields at once, also a reserved address', async () => {
    const reply = await app().post(list, await merchantKey(), { url: 'https://192.168.0.1/' })
    expect(outcomeOf(reply)).toBe('422 name url')
  })
})

describe('with loopback allowed', () => {
  const sandbox = testApp(database, { webhook: { allow_loopback: true, resolve } })

  it.each(
    readTable(`
    url                      | outcome
    http://localhost:9000/   | 200
    http://127.0.0.1:9000/   | 200
    http://[::1]:9000/       | 200
    http://127.1:9000/       | 200
    https://localhost/       | 200
    https://127.8.8.8/       | 200
    https://here.example/    | 200
    https://[::ffff:7f00:1]/ | 200
    http://here.example/     | 422 url
    http://shop.example.com/ | 422 url
    http://8.8.8.8/          | 422 url
    http://10.0.0.1/         | 422 url
    https://10.0.0.1/        | 422 url
    https://0.0.0.0/         | 422 url
    https://inside.example/  | 422 url
    https://169.254.169.254/ | 422 url
  `),
  )('$url: $outcome', async ({ url, outcome }) => {
    expect(outcomeOf(await sandbox().post(list, await merchantKey(), { name: 'Main', url }))).toBe(outcome)
  })
})

describe('PUT and PATCH /v1/webhooks/{uuid}', () => {
  it.each(changes)('$field $value: $outcome', async ({ field = '', value = '', outcome }) => {
    const key = await merchantKey()
    const { uuid } = await register(key)
    for (const method of ['PUT', 'PATCH']) {
      const reply = await app().call(method, `${list}/${uuid}`, { key, json: withField(valid, field, value) })
      expect(outcomeOf(reply), method).toBe(outcome)
    }
  })

  it.each(
    readTable(`
    body                      | outcome
    (nothing)                 | 422 name url
    {}                        | 422 name url
    []                        | 422 name url
    "text"                    | 422 name url
    null                      | 422 name url
    {"name":null,"url":" "}   | 422 name url
    {"name":                  | 400
    {"secret":"mine"}         | 422 name url
  `),
  )('body $body: $outcome', async ({ body = '', outcome }) => {
    const key = await merchantKey()
    const { uuid } = await register(key)
    const headers = { 'content-type': 'application/json' }
    for (const method of ['PUT', 'PATCH']) {
      const sent = body === '(nothing)' ? { headers } : { headers, bytes: body }
      const reply = await app().call(method, `${list}/${uuid}`, { key, ...sent })
      expect(outcomeOf(reply), method).toBe(outcome)
    }
  })

  it('change only the sent fields, and never the secret', async () => {
    const key = await merchantKey()
    const made = await register(key)
    const path = `${list}/${made.uuid}`
    const renamed = viewOf(await app().call('PUT', path, { key, json: { name: 'New', secret: 'mine' } }))
    expect(renamed).toMatchObject({ uuid: made.uuid, name: 'New', url: made.url, created_at: made.created_at })
    expect(renamed.secret).toBe(`****${made.secret.slice(-4)}`)
    const moved = viewOf(await app().call('PATCH', path, { key, json: { url: 'https://other.example/' } }))
    expect(moved).toMatchObject({ name: 'New', url: 'https://other.example/' })
    expect(Date.parse(moved.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.updated_at))
    expect(viewOf(await app().get(path, key))).toEqual(moved)
  })

  it('a refused change changes nothing', async () => {
    const key = await merchantKey()
    const { uuid } = await register(key)
    const before = viewOf(await app().get(`${list}/${uuid}`, key))
    const refused = await app().call('PATCH', `${list}/${uuid}`, {
      key,
      json: { name: 'New', url: 'https://10.0.0.1/' },
    })
    expect(outcomeOf(refused)).toBe('422 url')
    expect(viewOf(await app().get(`${list}/${uuid}`, key))).toEqual(before)
  })
})

describe('DELETE /v1/webhooks/{uuid}', () => {
  it('answers with an empty object, once', async () => {
    const key = await merchantKey()
    const { uuid } = await register(key)
    const reply = await app().call('DELETE', `${list}/${uuid}`, { key })
    expect(reply).toMatchObject({ status: 200, body: { status: true, data: {} } })
    expect(await app().call('DELETE', `${list}/${uuid}`, { key })).toMatchObject({ status: 404 })
    expect(await app().get(`${list}/${uuid}`, key)).toMatchObject({ status: 404 })
    expect(viewsOf(await app().get(list, key))).toEqual([])
  })
})

describe('an unknown webhook', () => {
  let mine = { key: '', uuid: '' }
  let foreign = ''
  let sibling = ''

  beforeAll(async () => {
    const program_id = (await makeProgram(database.db)).program_id
    const [owner, other] = [
      await makeMerchant(database.db, { program_id }),
      await makeMerchant(database.db, { program_id }),
    ]
    mine = { key: owner.private_key, uuid: (await register(owner.private_key)).uuid }
    sibling = (await register(other.private_key)).uuid
    foreign = (await register(await merchantKey())).uuid
  })

  const absent = readTable(`
    method | id                                   | body          | outcome
    GET    | (of a merchant of the same program)  |               | 404
    PUT    | (of a merchant of the same program)  | {"name":"x"}  | 404
    PATCH  | (of a merchant of the same program)  | {"name":"x"}  | 404
    DELETE | (of a merchant of the same program)  |               | 404
    GET    | (of another program)                 |               | 404
    PUT    | (of another program)                 | {"name":"x"}  | 404
    PATCH  | (of another program)                 | {"url":"https://a.example"} | 404
    DELETE | (of another program)                 |               | 404
    GET    | 019ac0de-7a11-7c3a-9d52-3f6b1a2c4d5e |               | 404
    DELETE | 019ac0de-7a11-7c3a-9d52-3f6b1a2c4d5e |               | 404
    GET    | 1                                    |               | 404
    GET    | not-a-uuid                           |               | 404
    GET    | 019ac0de7a117c3a9d523f6b1a2c4d5e     |               | 404
    GET    | %00                                  |               | 404
    GET    | ' or 1=1 --                          |               | 404
    DELETE | not-a-uuid                           |               | 404
    PATCH  | not-a-uuid                           | {"name":"x"}  | 404
    PATCH  | not-a-uuid                           | {"name":""}   | 422 name url
    PATCH  | not-a-uuid                           | {"name":1}    | 422 name
    PATCH  | (of another program)                 | {"name":1}    | 422 name
    PATCH  | (of another program)                 | {}            | 422 name url
    PATCH  | (of another program)                 | {"url":"https://inside.example/"} | 404
    PATCH  | (of another program)                 | {"url":"https://127.0.0.1/"} | 404
    PATCH  | not-a-uuid                           | {"url":"https://127.0.0.1/"} | 404
    PATCH  | (of another program)                 | {"url":"https://10.0.0.1/"} | 422 url
    PATCH  | not-a-uuid                           | {"url":"https://10.0.0.1/"} | 422 url
  `)

  it.each(absent)('$method $id $body: $outcome', async ({ method = '', id = '', body = '', outcome }) => {
    const uuid =
      { '(of a merchant of the same program)': sibling, '(of another program)': foreign }[id] ??
      encodeURIComponent(id).replaceAll('%25', '%')
    const headers = { 'content-type': 'application/json' }
    const reply = await app().call(method, `${list}/${uuid}`, {
      key: mine.key,
      ...(body === '' ? {} : { bytes: body, headers }),
    })
    expect(outcomeOf(reply)).toBe(outcome)
  })

  it('gets the same answer as another merchant’s webhook', async () => {
    const answers = [sibling, foreign, 'not-a-uuid'].map((id) => app().get(`${list}/${id}`, mine.key))
    const [first, ...others] = (await Promise.all(answers)).map(({ text }) => text)
    expect(others).toEqual([first, first])
  })

  it('is unchanged by all of this', async () => {
    expect(viewsOf(await app().get(list, mine.key))).toMatchObject([{ uuid: mine.uuid, name: 'Main' }])
  })

  it('is not one whose id is in capitals', async () => {
    expect(await app().get(`${list}/${mine.uuid.toUpperCase()}`, mine.key)).toMatchObject({ status: 200 })
  })
})

describe('keys', () => {
  const endpoints = [
    'POST /v1/webhooks',
    'GET /v1/webhooks',
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((m) => `${m} /v1/webhooks/x`),
  ]
  const keys = readTable(`
    key                           | outcome
    (none)                        | 400
    (blank)                       | 400
    sk_test_00000000000000000000000000 | 400
    sk_live_00000000000000000000000000 | 400
    (public)                      | 400
    (switched off)                | 400
    (of a merchant not verified)  | 422, 200 or 404
  `)

  it.each(keys)('$key: $outcome', async ({ key = '', outcome }) => {
    const merchant = await makeMerchant(database.db, {
      ...(key === '(switched off)' ? { key_status: false } : {}),
      changes: { verified: !key.includes('not verified'), published: !key.includes('not verified') },
    })
    const sent = { '(none)': {}, '(blank)': { key: ' ' }, '(public)': { key: merchant.public_key } }[key] ?? {
      key: key.startsWith('(') ? merchant.private_key : key,
    }
    for (const endpoint of endpoints) {
      const [method = '', path = ''] = endpoint.split(' ')
      const { status, body } = await app().call(method, path, {
        ...sent,
        ...(method.startsWith('P') ? { json: {} } : {}),
      })
      if (outcome !== '400') expect([422, 200, 404], endpoint).toContain(status)
      else
        expect({ status, message: body.message }, endpoint).toEqual({
          status: 400,
          message: 'Invalid or inactive API key',
        })
    }
  })
})

describe('GET /v1/webhooks', () => {
  it('lists the merchant’s own, the oldest first, in pages', async () => {
    const { private_key: key, merchant_id } = await makeMerchant(database.db)
    await register(await merchantKey(), 'of somebody else')
    const made: string[] = []
    for (let number = 1; number <= 5; number += 1) made.push((await register(key, `Hook ${number}`)).uuid)
    const path = 'https://localhost:8443/api/v1/webhooks'
    const first = await app().get(`${list}?per_page=2`, key)
    expect(viewsOf(first).map(({ uuid }) => uuid)).toEqual(made.slice(0, 2))
    expect(viewsOf(first).every((view) => view.merchant_id === merchant_id)).toBe(true)
    expect(first.body).toMatchObject({
      links: {
        first: `${path}?per_page=2&page=1`,
        last: `${path}?per_page=2&page=3`,
        prev: null,
        next: `${path}?per_page=2&page=2`,
      },
      meta: { current_page: 1, from: 1, last_page: 3, path, per_page: 2, to: 2, total: 5 },
    })
    const last = await app().get(`${list}?per_page=2&page=3`, key)
    expect(viewsOf(last).map(({ uuid }) => uuid)).toEqual(made.slice(4))
    const all = await app().get(list, key)
    expect(viewsOf(all).map(({ uuid }) => uuid)).toEqual(made)
    expect(all.body).toMatchObject({ meta: { per_page: 15, total: 5, last_page: 1 } })
  })

  it.each(
    readTable(`
    query                  | per_page | current_page
    per_page=0             | 1        | 1
    per_page=1000          | 100      | 1
    per_page=x&page=y      | 15       | 1
    per_page=3&page=-2     | 3        | 1
    page=40                | 15       | 40
    per_page=2&per_page=4  | 4        | 1
    per_page[]=4           | 15       | 1
    per_page=&page=        | 15       | 1
  `),
  )('?$query', async ({ query, per_page, current_page }) => {
    const reply = await app().get(`${list}?${query}`, await merchantKey())
    expect(reply).toMatchObject({
      status: 200,
      body: { data: [], meta: { per_page: Number(per_page), current_page: Number(current_page), total: 0 } },
    })
  })
})

describe('a merchant has at most twenty webhooks', () => {
  it('the next one is a 422 on url, until one is deleted', async () => {
    const key = await merchantKey()
    const made: View[] = []
    for (let number = 1; number <= 20; number += 1) made.push(await register(key, `Hook ${number}`))
    const over = await app().post(list, key, valid)
    expect(outcomeOf(over)).toBe('422 url')
    expect(over.body.errors?.['url']).toEqual([
      'The url cannot be added: the limit of 20 is reached. Delete one that is not needed.',
    ])
    expect(await app().call('PATCH', `${list}/${made[3]?.uuid}`, { key, json: { name: 'x' } })).toMatchObject({
      status: 200,
    })
    expect(await app().call('DELETE', `${list}/${made[3]?.uuid}`, { key })).toMatchObject({ status: 200 })
    expect(outcomeOf(await app().post(list, key, valid))).toBe('200')
    expect(outcomeOf(await app().post(list, key, valid))).toBe('422 url')
    expect(outcomeOf(await app().post(list, await merchantKey(), valid))).toBe('200')
  })

  it('even with thirty concurrent requests to two processes', async () => {
    const other = await startApp(database, { secret_key, webhook: { allow_loopback: false, resolve } })
    try {
      const key = await merchantKey()
      const asked = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? app() : other).post(list, key, valid))
      const outcomes = (await Promise.all(asked)).map(outcomeOf)
      expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(20)
      expect(outcomes.filter((outcome) => outcome === '422 url')).toHaveLength(10)
      expect((await app().get(list, key)).body).toMatchObject({ meta: { total: 20 } })
    } finally {
      await other.stop()
    }
  })
})
