import { merchantNameIn } from '../../app/names.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import classes from '../../parts/customer.module.css'
import { Figure, Points } from '../../parts/money.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { PersonDetail } from './person.ts'

interface Of {
  readonly detail: PersonDetail
}

export function About({ detail: { customer, sign_ins, merged } }: Of) {
  const { t } = useTexts()
  const phone = customer.phone === null ? '—' : <Copyable value={customer.phone} what={t('people.phone')} />
  const count = (label: string, value: number) => ({ label, value: <Figure value={value} /> })
  return (
    <Card title={t('people.facts')}>
      <Facts
        rows={[
          { label: t('people.phone'), value: phone },
          { label: t('people.since'), value: <Time at={customer.created_at} style="date" /> },
          {
            label: t('people.joined'),
            value: customer.activated_at === null ? '—' : <Time at={customer.activated_at} style="date" />,
          },
          count(t('people.sessions_wallet'), sign_ins.wallet),
          count(t('people.sessions_remembered'), sign_ins.remembered),
          count(t('people.sessions_cards'), sign_ins.cards),
          {
            label: t('people.id'),
            value: (
              <Copyable
                value={customer.customer_id}
                what={t('people.id')}
                shown={`…${customer.customer_id.slice(-12)}`}
              />
            ),
          },
          ...merged.map(({ customer_id, merged_at }) => ({
            label: t('people.merged_here', { number: `…${customer_id.slice(-4)}` }),
            value: (
              <PageLink to={`customers/${customer_id}`}>
                <Time at={merged_at} style="date" />
              </PageLink>
            ),
          })),
        ]}
      />
    </Card>
  )
}

export function Holds({ detail: { holds } }: Of) {
  const { t, locale } = useTexts()
  if (holds.length === 0) return null
  return (
    <Card title={t('people.holds')} lead={t('people.holds_lead')}>
      <ul className={classes.list}>
        {holds.map(({ points, since, order_number, ...at }) => (
          <li key={`${since} ${order_number}`}>
            <div>
              <bdi>{order_number}</bdi> · <bdi>{merchantNameIn(at, locale)}</bdi>
              <div className={classes.small}>
                <Time at={since} />
              </div>
            </div>
            <Points count={points} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Waiting({ detail: { waiting } }: Of) {
  const { t, locale } = useTexts()
  if (waiting.length === 0) return null
  return (
    <Card title={t('people.waiting')} lead={t('people.waiting_lead')}>
      <ul className={classes.list}>
        {waiting.map(({ pending_uuid, order_number, total_points, created_at, ...at }) => (
          <li key={pending_uuid}>
            <div>
              <bdi>{order_number}</bdi> · <bdi>{merchantNameIn(at, locale)}</bdi>
              <div className={classes.small}>
                <Time at={created_at} />
              </div>
            </div>
            <Points count={total_points} signed />
          </li>
        ))}
      </ul>
    </Card>
  )
}
