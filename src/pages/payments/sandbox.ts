import { DomainError } from '../../domain/failures.ts'
import { parseId, parseUuid } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import { isUnused, type SandboxCard, sandboxCards } from '../../domain/sandbox-payment.ts'
import type { SandboxPage } from '../../features/payments/sandbox.ts'
import type { SandboxRow } from '../../features/payments/sandbox-queries.ts'
import { type Page, type PageRequest, type PageRow, redirect } from '../../http/pages/page.ts'
import { actions, card, heading, outcome, sandboxBanner, summary } from '../design/components.ts'
import { button, choiceCards, form, linkButton } from '../design/controls.ts'
import { amount } from '../design/format.ts'
import { type Html, html } from '../design/html.ts'
import type { IconName } from '../design/icons.ts'
import { layout } from '../design/layout.ts'
import { catalogue } from '../texts/catalogue.ts'

export interface SandboxPaymentServices {
  /** Undefined in production, where the page does not exist. */
  readonly sandboxPage: SandboxPage | undefined
  readonly operator: Operator
}

/** The payment page of the sandbox provider. Each test card behaves in a way that banks do. It never asks for a card number. */
export const sandboxPaymentPage: PageRow<SandboxPaymentServices> = {
  path: '/sandbox/pay/:program/:payment_uuid',
  async show(request, services) {
    const { payment } = await find(request, services)
    const place = { request, operator: services.operator }
    if (isUnused(payment)) return choicePage(place, payment)
    return payment.state === 'challenge' ? challengePage(place, payment) : usedPage(place, payment)
  },
  async submit(request, services) {
    const { key, payment, page } = await find(request, services)
    const { card: name, passed } = request.form
    const chosen = sandboxCards.find((one) => one === name)
    if (passed !== undefined) await page.answer(key, passed === 'yes')
    else if (chosen !== undefined) await page.choose(key, chosen)
    // The bank's question comes before the redirect back.
    const stays = chosen === 'challenge' || (passed === undefined && chosen === undefined)
    return redirect(stays ? pathOf(request) : payment.return_url)
  },
}

async function find(request: PageRequest, { sandboxPage }: SandboxPaymentServices) {
  const program_id = parseId(request.params['program'] ?? '')
  const payment_uuid = parseUuid(request.params['payment_uuid'] ?? '')
  if (sandboxPage === undefined || payment_uuid === null || program_id === null)
    throw new DomainError({ kind: 'path_not_found' })
  const key = { program_id, payment_uuid }
  const payment = await sandboxPage.read(key)
  if (payment === null) throw new DomainError({ kind: 'path_not_found' })
  return { key, payment, page: sandboxPage }
}

/** With the language in which the page begins, if its link has one. */
function pathOf({ params, query: { begins } }: PageRequest): string {
  const path = `/sandbox/pay/${params['program'] ?? ''}/${params['payment_uuid'] ?? ''}`
  return begins === undefined ? path : `${path}?${new URLSearchParams({ begins })}`
}

const { sandbox: texts, card: cardTexts } = catalogue.payment

const cardIcons: Readonly<Record<SandboxCard, IconName>> = {
  succeeds: 'check',
  declined: 'error',
  challenge: 'lock',
  slow: 'clock',
  vanishes: 'warning',
  cancel: 'back',
}

interface Place {
  readonly request: PageRequest
  readonly operator: Operator
}

function choicePage(place: Place, payment: SandboxRow): Page {
  const { request } = place
  const { locale } = request
  const choices = sandboxCards.map((value) => {
    const text = cardTexts[`${value}Text`][locale]
    return { value, icon: cardIcons[value], title: cardTexts[value][locale], text }
  })
  const chosen = choiceCards({ name: 'card', legend: texts.cards[locale], choices, chosen: 'succeeds' })
  const body = html`${heading(texts.title[locale], texts.lead[locale])}
${receipt(payment, locale)}
${form({ action: pathOf(request), csrf: request.csrf }, html`${chosen}${actions(button(texts.pay[locale], { icon: 'lock' }))}`)}`
  return page(place, texts.title[locale], body)
}

function challengePage(place: Place, payment: SandboxRow): Page {
  const { request } = place
  const { locale } = request
  const answers = actions(
    button(texts.yes[locale], { name: 'passed', value: 'yes' }),
    button(texts.no[locale], { name: 'passed', value: 'no', kind: 'secondary' }),
  )
  const body = html`${heading(texts.challenge[locale], texts.challenge_lead[locale])}
${receipt(payment, locale)}
${form({ action: pathOf(request), csrf: request.csrf }, answers)}`
  return page(place, texts.challenge[locale], body)
}

function usedPage(place: Place, payment: SandboxRow): Page {
  const { request } = place
  const { locale } = request
  const body = html`${outcome('success', texts.over[locale], texts.over_lead[locale])}
${actions(linkButton(texts.back[locale], payment.return_url))}`
  return page(place, texts.over[locale], body)
}

function receipt({ kind, description, amount_halalas }: SandboxRow, locale: Locale): Html {
  return card(
    summary([
      { label: texts.order[locale], value: html`<bdi>${description}</bdi>` },
      {
        label: (kind === 'auth' ? texts.reserved : texts.amount)[locale],
        value: amount(amount_halalas, locale),
        strong: true,
      },
    ]),
  )
}

function page({ request: { locale, query }, operator }: Place, title: string, body: Html): Page {
  return layout({
    status: 200,
    locale,
    title,
    body,
    query,
    operator,
    banner: sandboxBanner(locale),
    scripts: ['forms'],
  })
}
