import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { cursorsOf, list, page, param, type Context, type Json } from '../../platform/http/index.ts'
import {
  findReviewedTag,
  findReviewedTags,
  renderReviewedTags,
  reviewTag,
  type ReviewedTag,
} from '../../timelines/tags/index.ts'
import { adminOperation, listParameters } from '../index.ts'

const PATH = '/api/v1/admin/tags'
const ITEM_PATH = `${PATH}/:id`
const READ = { scopes: ['admin:read'], permission: 'manage_taxonomies' } as const
const WRITE = { scopes: ['admin:write'], permission: 'manage_taxonomies' } as const

const findTag = ({ id }: { id: Id }, { database }: Context): Promise<ReviewedTag | undefined> =>
  findReviewedTag(database, id)

/** The entity Admin::Tag. @throws ApiError notFound */
async function render(context: Context<'admin'>, tag: ReviewedTag): Promise<Json> {
  const [entity] = await renderReviewedTags(context, context.viewer, [tag])
  if (!entity) throw new ApiError('notFound')
  return entity
}

const listTags = adminOperation({
  method: 'GET',
  path: PATH,
  ...READ,
  summary: 'List all hashtags, newest first',
  params: listParameters(),
  returns: '[Admin_Tag]',
  async handle(range, context) {
    const tags = await findReviewedTags(context.database, range)
    return page(
      list(await renderReviewedTags(context, context.viewer, tags)),
      cursorsOf(tags, tag => tag.id),
      context.request,
      range,
    )
  },
})

const showTag = adminOperation({
  method: 'GET',
  path: ITEM_PATH,
  ...READ,
  summary: "Show a hashtag with the moderators' decisions",
  params: { id: param.id() },
  returns: 'Admin_Tag',
  find: findTag,
  handle: (_, context, tag) => render(context, tag),
})

const changeTag = adminOperation({
  method: ['PUT', 'PATCH'],
  path: ITEM_PATH,
  ...WRITE,
  summary: 'Review a hashtag',
  params: {
    id: param.id(),
    display_name: param.string({ optional: true, description: 'the same name in another spelling' }),
    listable: param.boolean({ optional: true, description: 'shown by search and suggestions' }),
    trendable: param.boolean({ optional: true, description: 'may trend' }),
    usable: param.boolean({ optional: true, description: 'may be used in local posts' }),
  },
  returns: 'Admin_Tag',
  find: findTag,
  async handle({ display_name, listable, trendable, usable }, context, tag) {
    const review = { display_name, listable, trendable, usable }
    const by = { moderator: context.viewer.id, isLogged: false }
    return render(context, await reviewTag(context.database, by, tag, review))
  },
})

export const operations = [listTags, showTag, changeTag]
