import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../api/query.ts'
import { useProgram } from '../../app/program.ts'
import { Copyable } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import classes from './waiting-erasures.module.css'

/** The erasures that operators have asked for and nobody has made yet. */
export function WaitingErasures() {
  const { t } = useTexts()
  const { programId } = useProgram()
  const { data } = useQuery({
    ...ask('/programs/{programId}/erasures', { params: { path: { programId } } }),
    refetchInterval: ({ state }) => (state.data?.requests.length === 0 ? false : 15_000),
  })
  if (data === undefined || data.requests.length === 0) return null
  const { requests, by_command, more } = data
  const title = t('people.erasures_wait', { count: requests.length })
  return (
    <Alert className={classes.alert} color="gray" variant="light" icon={<Icon name="clock" />} title={title}>
      <Stack gap="xs" align="flex-start">
        <span>{t(by_command ? 'people.erasures_command' : 'people.erasures_soon')}</span>
        {by_command ? <Copyable value="nuqta customers erase --requested" what={t('people.erase_command')} /> : null}
        <ul className={classes.list}>
          {requests.map(({ request_uuid, customer_id, asked_by, asked_at }) => (
            <li key={request_uuid}>
              <PageLink to={`customers/${customer_id}`}>
                <bdi dir="ltr">…{customer_id.slice(-12)}</bdi>
              </PageLink>{' '}
              · <bdi>{asked_by}</bdi> · <Time at={asked_at} />
            </li>
          ))}
        </ul>
        {more ? <span>{t('people.erasures_more')}</span> : null}
      </Stack>
    </Alert>
  )
}
