import { Alert, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import classes from '../../parts/customer.module.css'
import { Icon } from '../../parts/icon.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type PersonDetail, stale_paths, useParamsOfPerson } from './person.ts'

/** What keeps the customer from being one like all others: a block, with the way back, or a merge. */
export function Standing({ detail: { customer, block } }: { detail: PersonDetail }) {
  const { t } = useTexts()
  if (customer.merged_into !== null)
    return (
      <Alert
        className={classes.standing}
        color="gray"
        variant="light"
        icon={<Icon name="merge" />}
        title={t('people.merged')}
      >
        <Stack gap="xs" align="flex-start">
          <span>{t('people.merged_lead')}</span>
          <PageLink to={`customers/${customer.merged_into}`}>{t('people.merged_to')}</PageLink>
        </Stack>
      </Alert>
    )
  return block === null ? null : <Block block={block} />
}

function Block({ block: { at, by, reason } }: { block: NonNullable<PersonDetail['block']> }) {
  const { t } = useTexts()
  const params = useParamsOfPerson()
  const [asks, setAsks] = useState(false)
  const unblock = useSubmit({
    send: (_: undefined, headers) =>
      send('post', '/programs/{programId}/customers/{customerId}/unblock', { params, headers }),
    done() {
      setAsks(false)
      notifyDone(t('people.unblocked'))
    },
    stale: stale_paths,
  })
  return (
    <Alert
      className={classes.standing}
      color="red"
      variant="light"
      icon={<Icon name="block" />}
      title={t('people.blocked')}
    >
      <Stack gap="xs" align="flex-start">
        <bdi>{reason}</bdi>
        <span>
          {t.rich('people.blocked_by', { when: <Time key="when" at={at} />, by: <bdi key="by">{by ?? '—'}</bdi> })}
        </span>
        <Button size="sm" variant="default" onClick={() => setAsks(true)}>
          {t('people.unblock')}
        </Button>
      </Stack>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('people.unblock_title')}
        label={t('people.unblock')}
        of={unblock}
        onConfirm={() => unblock.submit(undefined)}
      >
        {t('people.unblock_lead')}
      </ConfirmDialog>
    </Alert>
  )
}
