import type { ReactNode } from 'react'
import type { RowOf } from '../../api/client.ts'
import classes from '../../parts/customer.module.css'
import type { Column } from '../../parts/data-table.tsx'
import { Figure } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import type { Translate } from '../../texts/translate.ts'

/** What a change of a wallet says at one merchant, and at all of them. */
type Row = RowOf<'/merchants/{merchantId}/customers/{customerId}/history'>

/** What happened to the points, with a link to the order, and why. */
export function Movement({ of, order }: { of: Row; order: ReactNode }) {
  const { t } = useTexts()
  const { product_name, reason } = of
  // One element: on a phone the cell would set its parts side by side.
  return (
    <div className={classes.movement}>
      {kindText(t, of)} {order}
      {[product_name, reason].map((text) =>
        text === null ? null : (
          <div key={text} className={classes.small}>
            <bdi>{text}</bdi>
          </div>
        ),
      )}
    </div>
  )
}

function kindText(t: Translate, { kind, source, hold_state }: Row): string {
  if (kind === 'earn') return t(`customers.kind_earn_${source ?? 'purchase'}`)
  if (kind === 'hold') return t(`customers.kind_hold_${hold_state ?? 'open'}`)
  return t(`customers.kind_${kind}`)
}

/** How many points, what is left, and when. */
export function movementColumns(t: Translate): readonly Column<Row>[] {
  return [
    {
      name: 'points',
      header: t('customers.points'),
      numeric: true,
      cell: ({ points }) => <Figure value={points} signed />,
    },
    {
      name: 'balance',
      header: t('customers.balance'),
      numeric: true,
      cell: ({ balance_after }) => <Figure value={balance_after} />,
    },
    { name: 'when', header: t('customers.when'), cell: ({ at }) => <Time at={at} /> },
  ]
}
