import { Menu, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { askForList } from '../api/query.ts'
import { type CurrentMerchant, useOpenMerchant, useSession } from '../app/merchant.ts'
import { Icon } from '../parts/icon.tsx'
import { merchantPath } from '../parts/page-link.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './merchant-switch.module.css'

/** Names the open merchant, and leads to the others. */
export function MerchantSwitch() {
  const merchant = useOpenMerchant()
  return merchant === undefined ? null : <OpenMerchant merchant={merchant} />
}

function OpenMerchant({ merchant: { merchantId, name, standing } }: { merchant: CurrentMerchant }) {
  const { t } = useTexts()
  const [opened, { close, toggle }] = useDisclosure()
  const choice = useChoice(opened)
  return (
    <Menu width="target" position="bottom-start" shadow="md" opened={opened} onChange={toggle} onClose={close}>
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <span className="visually-hidden">{`${t('frame.switch_merchant')}: `}</span>
          <Initial name={name} />
          <span className={classes.words}>
            <span className={classes.name}>{name}</span>
            <span className={classes.role}>{t(`frame.role_${standing}`)}</span>
          </span>
          <Icon name="down" size={18} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {choice.map((one) => (
          <Menu.Item
            key={one.merchant_id}
            component={Link}
            to={merchantPath(String(one.merchant_id), '')}
            rightSection={one.merchant_id === merchantId ? <Icon name="check" size={18} /> : null}
          >
            <bdi>{one.name}</bdi>
          </Menu.Item>
        ))}
        <Menu.Item component={Link} to="/" leftSection={<Icon name="store" size={18} />}>
          {t('frame.all_merchants')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const most = 12

/** The merchants that the menu offers; an operator is offered the first of all. */
function useChoice(opened: boolean): readonly { readonly merchant_id: number; readonly name: string }[] {
  const { memberships, is_operator } = useSession()
  const query = { limit: String(most) }
  const all = useQuery({ ...askForList('/merchants', { params: { query } }), enabled: is_operator && opened })
  if (is_operator) return all.data?.rows ?? []
  return memberships.slice(0, most).map(({ merchant_id, merchant_name: name }) => ({ merchant_id, name }))
}

/** The first letter of a name on a coloured tile. */
export function Initial({ name }: { name: string }) {
  return (
    <span className={classes.initial} aria-hidden="true">
      {[...name.trim()][0] ?? '·'}
    </span>
  )
}
