import {
  blockAddress,
  blockDomain,
  createDomainBlock,
  findAddressBlock,
  findAddressBlocks,
  findDomainBlock,
  findDomainBlocks,
  resolveMailHosts,
  matchAddress,
  removeAddressBlock,
  unblockDomain,
  normaliseDomain,
} from '../../moderation/email_blocks/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  batch,
  checkbox,
  disclosure,
  field,
  form,
  hidden,
  href,
  html,
  submit,
  type Content,
} from '../../platform/ui/index.ts'
import { staffBatch, staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { cursors, toIdPage, toRange, type Cursors } from '../page_parts/index.ts'

const DOMAINS_PATH = '/admin/email_domain_blocks'
const ADDRESSES_PATH = '/admin/canonical_email_blocks'
const permissions = ['manage_blocks'] as const

/** A list of blocks with the form that adds one. */
function listPage(
  { webSession, t, translator }: Staff,
  list: {
    readonly path: string
    readonly title: string
    readonly intro: string
    readonly addForm: Content
    readonly items: Parameters<typeof batch>[0]['items']
    readonly range: Cursors
    readonly links: Content
    readonly alert?: string | undefined
  },
): StaffPage {
  const { path, title, range } = list
  return {
    title,
    navigationPath: path,
    alert: list.alert,
    body: html`<p>${list.intro}</p>
      ${disclosure(t('staff.add'), list.addForm, list.alert !== undefined)}
      ${batch({
        translator,
        action: `${path}/batch`,
        csrfToken: webSession.csrfToken(),
        buttons: [{ value: 'delete', label: t('staff.delete'), kind: 'danger' }],
        items: list.items,
        empty: t('email_blocks.none'),
        fields: hidden('back', href(path, { ...range })),
      })}
      ${list.links}`,
    scripts: ['/assets/batch.js'],
  }
}

interface DomainInput {
  readonly domain: string
  readonly allow_with_approval: boolean
  readonly with_dns_records: boolean
}

const EMPTY: DomainInput = { domain: '', allow_with_approval: false, with_dns_records: false }

async function domainsPage(staff: Staff, range: Cursors, input = EMPTY, alert?: string): Promise<StaffPage> {
  const { context, webSession, t, translator } = staff
  const { rows, links } = toIdPage(
    translator,
    [DOMAINS_PATH, {}],
    await findDomainBlocks(context.database, toRange(range)),
    range,
  )
  const items = rows.map(({ id, domain, allow_with_approval: allowWithApproval, history }) => ({
    value: id,
    name: domain,
    content: html`<div class="line">
        <strong>${domain}</strong>
        ${allowWithApproval ? badge(t('username_blocks.approval'), 'warning') : badge(t('username_blocks.refused'), 'bad')}
      </div>
      <p class="quiet">${t('email_blocks.attempts', { count: history.reduce((sum, { uses }) => sum + uses, 0) })}</p>`,
  }))
  const addForm = form({ action: DOMAINS_PATH, csrfToken: webSession.csrfToken() }, [
    field({ label: t('email_blocks.domain'), name: 'domain', value: input.domain, required: true, verbatim: true }),
    checkbox({
      label: t('username_blocks.allow_with_approval'),
      name: 'allow_with_approval',
      required: false,
      checked: input.allow_with_approval,
    }),
    checkbox({
      label: t('email_blocks.with_dns_records'),
      name: 'with_dns_records',
      required: false,
      checked: input.with_dns_records,
    }),
    submit(t('staff.add')),
  ])
  const title = t('email_blocks.domains')
  return listPage(staff, {
    path: DOMAINS_PATH,
    title,
    intro: t('email_blocks.domains_intro'),
    addForm,
    items,
    range,
    links,
    alert,
  })
}

const showDomains = staffView({
  path: DOMAINS_PATH,
  summary: 'List the e-mail domains that may not sign up',
  permissions,
  params: cursors,
  show: (range, staff) => domainsPage(staff, range),
})

const addDomain = staffForm({
  path: DOMAINS_PATH,
  summary: 'Block an e-mail domain',
  permissions,
  params: {
    domain: param.string({ default: '' }),
    allow_with_approval: param.boolean({ default: false }),
    with_dns_records: param.boolean({ default: false }),
  },
  async act({ domain, allow_with_approval: allowWithApproval, with_dns_records: withHosts }, { context, viewer, t }) {
    const name = withHosts ? normaliseDomain(domain) : undefined
    const { hosts } = name === undefined ? { hosts: [] } : await resolveMailHosts(name)
    await context.database.transaction(async transaction => {
      const block = await createDomainBlock(transaction, viewer.id, domain, allowWithApproval)
      for (const host of hosts) await blockDomain(transaction, viewer.id, host, { allowWithApproval, parent: block.id })
    })
    return { to: DOMAINS_PATH, notice: t('staff.added') }
  },
  showError: (input, staff, message) => domainsPage(staff, {}, input, message),
})

const removeDomains = staffBatch({
  path: `${DOMAINS_PATH}/batch`,
  summary: 'Unblock e-mail domains',
  permissions,
  changes: ['delete'],
  list: DOMAINS_PATH,
  async act(_, ids, { context: { database }, viewer }) {
    let count = 0
    for (const id of ids) {
      const block = await findDomainBlock(database, id)
      if (block && (await unblockDomain(database, viewer.id, block.domain))) count += 1
    }
    return count
  },
})

async function addressesPage(staff: Staff, range: Cursors, address = '', alert?: string): Promise<StaffPage> {
  const { context, webSession, t, translator } = staff
  const { rows, links } = toIdPage(
    translator,
    [ADDRESSES_PATH, {}],
    await findAddressBlocks(context.database, toRange(range)),
    range,
  )
  const items = rows.map(({ id, canonical_email_hash: hash }) => ({
    value: id,
    name: hash,
    content: html`<span class="code">${hash}</span>`,
  }))
  const addressField = field({
    label: t('email_blocks.address'),
    name: 'email',
    type: 'email',
    value: address,
    required: true,
    verbatim: true,
    hint: t('email_blocks.address_hint'),
  })
  const csrfToken = webSession.csrfToken()
  const addForm = form({ action: ADDRESSES_PATH, csrfToken }, [
    addressField,
    html`<div class="buttons">
      <button type="submit" class="button primary">${t('staff.add')}</button>
      <button type="submit" name="test" value="1" class="button plain">${t('email_blocks.test')}</button>
    </div>`,
  ])
  const title = t('email_blocks.addresses')
  const intro = t('email_blocks.addresses_intro')
  return listPage(staff, { path: ADDRESSES_PATH, title, intro, addForm, items, range, links, alert })
}

const showAddresses = staffView({
  path: ADDRESSES_PATH,
  summary: 'List the hashes of e-mail addresses that may not sign up',
  permissions,
  params: cursors,
  show: (range, staff) => addressesPage(staff, range),
})

const addAddress = staffForm({
  path: ADDRESSES_PATH,
  summary: 'Block an e-mail address, or test whether it is blocked',
  permissions,
  params: { email: param.string({ default: '', trim: true }), test: param.boolean({ default: false }) },
  async act({ email, test }, staff) {
    const { context, viewer, t } = staff
    if (test) {
      const isBlocked = email !== '' && (await matchAddress(context.database, email)) !== undefined
      return {
        ...(await addressesPage(staff, {}, email, t(isBlocked ? 'email_blocks.is' : 'email_blocks.is_not'))),
        status: 200,
      }
    }
    await blockAddress(context.database, viewer.id, { email })
    return { to: ADDRESSES_PATH, notice: t('staff.added') }
  },
  showError: ({ email }, staff, message) => addressesPage(staff, {}, email, message),
})

const removeAddresses = staffBatch({
  path: `${ADDRESSES_PATH}/batch`,
  summary: 'Unblock e-mail addresses',
  permissions,
  changes: ['delete'],
  list: ADDRESSES_PATH,
  async act(_, ids, { context: { database }, viewer }) {
    let count = 0
    for (const id of ids) {
      const block = await findAddressBlock(database, id)
      if (!block) continue
      await removeAddressBlock(database, viewer.id, block)
      count += 1
    }
    return count
  },
})

export const pageOperations = [showDomains, addDomain, removeDomains, showAddresses, addAddress, removeAddresses]
