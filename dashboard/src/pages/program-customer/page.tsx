import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { ask } from '../../api/query.ts'
import { later } from '../../app/later.ts'
import classes from '../../parts/customer.module.css'
import { failureText } from '../../parts/failure-text.ts'
import { Icon } from '../../parts/icon.tsx'
import { Figure } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink } from '../../parts/page-link.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { StatTile, StatTiles } from '../../parts/stat-tile.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { PersonStatus } from '../program-customers/status.tsx'
import { About, Holds, Waiting } from './about.tsx'
import { Entries } from './entries.tsx'
import { Erasing } from './erase.tsx'
import { Orders } from './orders.tsx'
import { type PersonDetail, person_path, useParamsOfPerson } from './person.ts'
import { Standing } from './standing.tsx'

/** Loaded when they are opened. */
const BlockDialog = later(() => import('./block.tsx'), 'BlockDialog')
const MergeDialog = later(() => import('./merge.tsx'), 'MergeDialog')

/** A customer, at all merchants of the program. */
export function Page() {
  const { t } = useTexts()
  const params = useParamsOfPerson()
  const { data, error } = useQuery(ask(person_path, { params }))
  if (data !== undefined) return <Person key={params.path.customerId} detail={data} />
  if (error === null) return <PageSkeleton />
  return (
    <>
      <PageHeader title={t('people.one')} above={<BackLink to="customers">{t('people.name')}</BackLink>} />
      <Alert color="red" variant="light" icon={<Icon name="alert" />}>
        {failureText(error, t)}
      </Alert>
    </>
  )
}

function Person({ detail }: { detail: PersonDetail }) {
  const { t } = useTexts()
  const [opened, setOpened] = useState<'block' | 'merge' | null>(null)
  const close = () => setOpened(null)
  const { customer } = detail
  const name = customer.name ?? customer.phone ?? t('people.unnamed')
  return (
    <>
      <PageHeader
        title={`\u2068${name}\u2069`}
        above={<BackLink to="customers">{t('people.name')}</BackLink>}
        badge={<PersonStatus {...customer} />}
        actions={customer.phone === null ? undefined : <Actions detail={detail} open={setOpened} />}
      />
      <Standing detail={detail} />
      <StatTiles>
        <StatTile label={t('people.available')} value={<Figure value={customer.available} />} />
        <StatTile label={t('people.held')} value={<Figure value={customer.held} />} />
        <StatTile label={t('people.posted')} value={<Figure value={customer.posted} />} />
      </StatTiles>
      <div className={classes.page}>
        <div className={classes.side}>
          <Entries />
          <Orders />
        </div>
        <div className={classes.side}>
          <About detail={detail} />
          <Holds detail={detail} />
          <Waiting detail={detail} />
          <Erasing detail={detail} />
        </div>
      </div>
      <Suspense>
        {opened === 'block' ? <BlockDialog onClose={close} /> : null}
        {opened === 'merge' ? <MergeDialog detail={detail} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

function Actions({ detail, open }: { detail: PersonDetail; open: (dialog: 'block' | 'merge') => void }) {
  const { t } = useTexts()
  // A block is lifted first, where it is shown.
  if (detail.block !== null) return null
  return (
    <>
      <Button variant="default" leftSection={<Icon name="block" size={18} />} onClick={() => open('block')}>
        {t('people.block')}
      </Button>
      <Button variant="default" leftSection={<Icon name="merge" size={18} />} onClick={() => open('merge')}>
        {t('people.merge')}
      </Button>
    </>
  )
}
