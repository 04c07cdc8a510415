import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { normaliseTag } from '../../core/text/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  checkbox,
  field,
  filterForm,
  form,
  html,
  linkButton,
  select,
  submit,
  table,
} from '../../platform/ui/index.ts'
import { findReviewedTag, findReviewedTags, reviewTag, type ReviewedTag } from '../../timelines/tags/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { cursors, toIdPage, toRange } from '../page_parts/index.ts'

const PATH = '/admin/tags'
const permissions = ['manage_taxonomies'] as const
const TRENDABLE = ['', 'true', 'false'] as const

const tagQuery = query('administration/tag_pages/find_by_name', { name: c.text }, { id: c.id })

const showList = staffView({
  path: PATH,
  summary: 'List hashtags, newest first',
  permissions,
  params: { name: param.string({ default: '', trim: true, max: 255 }), ...cursors },
  async show({ name, ...range }, { context, t, translator }) {
    const { database } = context
    const match = name === '' ? undefined : await database.one(tagQuery, { name: normaliseTag(name.replace(/^#/, '')) })
    const exact = match && (await findReviewedTag(database, match.id))
    const tags = name === '' ? await findReviewedTags(database, toRange(range)) : exact ? [exact] : []
    const { rows, links } = toIdPage(translator, [PATH, {}], tags, name === '' ? range : {})
    return {
      title: t('tags.title'),
      navigationPath: '/admin/trends/tags',
      breadcrumbs: [['/admin/trends/tags', t('trends.title')]],
      body: html`${filterForm(
        PATH,
        t('staff.filter'),
        field({ label: t('tags.name'), name: 'name', type: 'search', value: name, verbatim: true }),
      )}
      ${table({
        caption: t('tags.title'),
        columns: [{ label: t('tags.name') }, { label: t('tags.review') }],
        rows: rows.map(tag => [
          html`<a href="${PATH}/${tag.id}">#${tag.display_name}</a>`,
          [
            tag.reviewed ? badge(t('tags.reviewed'), 'good') : badge(t('tags.not_reviewed')),
            !tag.usable && badge(t('tags.not_usable'), 'bad'),
            !tag.listable && badge(t('tags.not_listable'), 'warning'),
          ],
        ]),
        empty: t('tags.none'),
      })}
      ${links}`,
    }
  },
})

/** @throws ApiError notFound */
async function findTag({ context }: Staff, id: Id): Promise<ReviewedTag> {
  const tag = await findReviewedTag(context.database, id)
  if (!tag) throw new ApiError('notFound')
  return tag
}

async function tagPage(staff: Staff, id: Id, alert?: string): Promise<StaffPage> {
  const { webSession, t } = staff
  const tag = await findTag(staff, id)
  const flagField = (name: 'usable' | 'listable'): ReturnType<typeof checkbox> =>
    checkbox({ label: t(`tags.${name}`), name, required: false, checked: tag[name] })
  return {
    title: `#${tag.display_name}`,
    navigationPath: '/admin/trends/tags',
    breadcrumbs: [
      ['/admin/trends/tags', t('trends.title')],
      [PATH, t('tags.title')],
    ],
    alert,
    actions: linkButton(`/tags/${encodeURIComponent(tag.name)}`, t('accounts.public_page')),
    body: form({ action: `${PATH}/${id}`, method: 'put', csrfToken: webSession.csrfToken() }, [
      field({
        label: t('tags.display_name'),
        name: 'display_name',
        value: tag.display_name,
        required: true,
        verbatim: true,
        hint: t('tags.display_name_hint'),
      }),
      select({
        label: t('tags.trendable'),
        name: 'trendable',
        choices: TRENDABLE.filter(value => value !== '' || tag.trendable === null).map(
          value => [value, t(`tags.trendable.${value === '' ? 'undecided' : value}`)] as const,
        ),
        value: tag.trendable === null ? '' : String(tag.trendable),
      }),
      flagField('usable'),
      flagField('listable'),
      submit(t('staff.save')),
    ]),
  }
}

const showTag = staffView({
  path: `${PATH}/:id`,
  summary: 'Show the review of a hashtag',
  permissions,
  params: { id: param.id() },
  show: ({ id }, staff) => tagPage(staff, id),
})

const changeTag = staffForm({
  path: `${PATH}/:id`,
  method: 'PUT',
  summary: 'Review a hashtag',
  permissions,
  params: {
    id: param.id(),
    display_name: param.string({ default: '', trim: true }),
    trendable: param.enumeration(TRENDABLE, { default: '', fallback: '' }),
    usable: param.boolean({ default: false }),
    listable: param.boolean({ default: false }),
  },
  async act({ id, display_name, trendable, usable, listable }, staff) {
    const { context, viewer, t } = staff
    const tag = await findTag(staff, id)
    await reviewTag(context.database, { moderator: viewer.id, isLogged: true }, tag, {
      display_name,
      usable,
      listable,
      ...(trendable !== '' && { trendable: trendable === 'true' }),
    })
    return { to: `${PATH}/${id}`, notice: t('staff.saved') }
  },
  showError: ({ id }, staff, message) => tagPage(staff, id, message),
})

export const pageOperations = [showList, showTag, changeTag]
