import { Anchor, Menu, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { askForList } from '../api/query.ts'
import { programOptions, programsOptions } from '../api/session.ts'
import { type CurrentMerchant, useOpenMerchant, useSession } from '../app/merchant.ts'
import { merchantOf, nameIn } from '../app/names.ts'
import { type CurrentProgram, useOpenProgram } from '../app/program.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { merchantPath, programPath } from '../parts/page-link.tsx'
import { useTexts } from '../texts/texts.tsx'
import { useArea } from './area.ts'
import classes from './area-switch.module.css'

/** Names the open merchant or program, and leads to the others. */
export function AreaSwitch() {
  const merchant = useOpenMerchant()
  const program = useOpenProgram()
  const area = useArea()
  if (merchant !== undefined) return <MerchantSwitch merchant={merchant} />
  if (area === undefined) return null
  return <ProgramSwitch program={program} />
}

function MerchantSwitch({ merchant }: { merchant: CurrentMerchant }) {
  const { t } = useTexts()
  const menu = useDisclosure()
  const choice = useMerchants(merchant, menu[0])
  const { merchantId, name, standing, program_id } = merchant
  return (
    <>
      {standing === 'operator' ? <BackToProgram program_id={program_id} merchantId={merchantId} /> : null}
      <Switch menu={menu} name={name} role={t(`frame.role_${standing}`)} hint={t('frame.switch_merchant')}>
        {choice.map((one) => (
          <Place
            key={one.merchant_id}
            to={merchantPath(String(one.merchant_id), '')}
            name={one.name}
            isOpen={one.merchant_id === merchantId}
          />
        ))}
        <Way
          to={standing === 'operator' ? programPath(String(program_id), 'merchants') : '/'}
          icon="store"
          name={t('frame.all_merchants')}
        />
      </Switch>
    </>
  )
}

/** The way back of an operator who looks at a merchant's own pages. */
function BackToProgram({ program_id, merchantId }: { program_id: number; merchantId: number }) {
  const { data } = useQuery({ ...programOptions(program_id), throwOnError: false })
  return (
    <Anchor
      component={Link}
      to={programPath(String(program_id), `merchants/${merchantId}`)}
      className={classes.back}
      c="dimmed"
    >
      <Icon name="back" size={18} />
      <bdi>{data?.name ?? '…'}</bdi>
    </Anchor>
  )
}

function ProgramSwitch({ program }: { program: CurrentProgram | undefined }) {
  const { t } = useTexts()
  const menu = useDisclosure()
  const { data } = useQuery({ ...programsOptions, enabled: menu[0], throwOnError: false })
  const programs = data?.rows.slice(0, most) ?? []
  const name = program?.name ?? t('frame.whole_service')
  return (
    <Switch menu={menu} name={name} role={t('frame.role_operator')} hint={t('frame.switch_program')}>
      {programs.map(({ program_id, name }) => (
        <Place
          key={program_id}
          to={programPath(String(program_id), '')}
          name={name}
          isOpen={program_id === program?.programId}
        />
      ))}
      {programs.length === 1 ? null : <Way to="/" icon="program" name={t('frame.all_programs')} />}
      {program === undefined ? null : (
        <Way to={programPath(String(program.programId), 'merchants')} icon="store" name={t('frame.all_merchants')} />
      )}
    </Switch>
  )
}

function Switch({
  menu: [opened, { close, toggle }],
  name,
  role,
  hint,
  children,
}: {
  menu: ReturnType<typeof useDisclosure>
  name: string
  role: string
  hint: string
  children: ReactNode
}) {
  return (
    <Menu width="target" position="bottom-start" shadow="md" opened={opened} onChange={toggle} onClose={close}>
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <span className="visually-hidden">{`${hint}: `}</span>
          <Initial name={name} />
          <span className={classes.words}>
            <span className={classes.name} dir="auto">
              {name}
            </span>
            <span className={classes.role}>{role}</span>
          </span>
          <Icon name="down" size={18} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

function Place({ to, name, isOpen }: { to: string; name: string; isOpen: boolean }) {
  return (
    <Menu.Item component={Link} to={to} rightSection={isOpen ? <Icon name="check" size={18} /> : null}>
      <bdi>{name}</bdi>
    </Menu.Item>
  )
}

function Way({ to, icon, name }: { to: string; icon: IconName; name: string }) {
  return (
    <Menu.Item component={Link} to={to} leftSection={<Icon name={icon} size={18} />}>
      {name}
    </Menu.Item>
  )
}

const most = 12

/** The merchants that the menu offers; an operator is offered the first of the program. */
function useMerchants(
  { standing, program_id }: CurrentMerchant,
  opened: boolean,
): readonly { readonly merchant_id: number; readonly name: string }[] {
  const { memberships } = useSession()
  const { locale } = useTexts()
  const isOperator = standing === 'operator'
  const params = { path: { programId: program_id }, query: { limit: String(most) } }
  const all = useQuery({
    ...askForList('/programs/{programId}/merchants', { params }),
    enabled: isOperator && opened,
    throwOnError: false,
  })
  const choice = isOperator ? (all.data?.rows ?? []) : memberships.slice(0, most).map(merchantOf)
  return choice.map((one) => ({ merchant_id: one.merchant_id, name: nameIn(one, locale) }))
}

/** The first letter of a name on a coloured tile. */
export function Initial({ name }: { name: string }) {
  return (
    <span className={classes.initial} aria-hidden="true">
      {[...name.trim()][0] ?? '·'}
    </span>
  )
}
