import { Card } from '../../parts/card.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Money, Points } from '../../parts/money.tsx'
import { type Step, Timeline } from '../../parts/timeline.tsx'
import type { TextKey } from '../../texts/catalogue.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { OrderDetail } from './order.ts'

type Happening = OrderDetail['timeline'][number]

const looks: Readonly<Record<Happening['what'], readonly [icon: IconName, tone: NonNullable<Step['tone']>]>> = {
  created: ['orders', 'quiet'],
  authorized: ['lock', 'quiet'],
  approved: ['check', 'good'],
  captured: ['check', 'good'],
  completed: ['check', 'good'],
  shipping: ['deliveries', 'quiet'],
  refunded: ['refund', 'bad'],
  auto_refunded: ['refund', 'bad'],
  cancelled: ['close', 'bad'],
  settled: ['card', 'good'],
}

/** What happened to the order, the first at the top. */
export function Happened({ detail: { timeline } }: { detail: OrderDetail }) {
  const { t, locale } = useTexts()
  const titleOf = ({ what, status, label_ar, label_en }: Happening) => {
    if (what !== 'shipping') return t(`order.did_${what}`)
    const custom = locale === 'ar' ? label_ar : label_en
    return t('order.did_shipping', { label: custom ?? t(`order.shipping_${status ?? 'new'}` as TextKey) })
  }
  const steps = timeline.map((one, index): Step => {
    const [icon, tone] = looks[one.what]
    return { id: `${index} ${one.at}`, at: one.at, title: titleOf(one), detail: <Detail of={one} />, icon, tone }
  })
  return (
    <Card title={t('order.happened')}>
      <Timeline steps={steps} />
    </Card>
  )
}

function Detail({ of: { amount, points, reason } }: { of: Happening }) {
  return (
    <>
      {amount === undefined ? null : <Money sar={amount} />}
      {points === undefined || points === 0 ? null : (
        <>
          {' · '}
          <Points count={points} signed />
        </>
      )}
      {reason === undefined || reason === null ? null : (
        <div>
          <bdi>{reason}</bdi>
        </div>
      )}
    </>
  )
}
