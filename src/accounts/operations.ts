import { operations as accountLists } from './account_lists.ts'
import { operations as block } from './block.ts'
import { operations as credentials } from './credentials.ts'
import { operations as edit } from './edit.ts'
import { operations as endorse } from './endorse.ts'
import { operations as featuredTags } from './featured_tags.ts'
import { operations as follow } from './follow.ts'
import { operations as followRequests } from './follow_requests.ts'
import { operations as mute } from './mute.ts'
import { operations as read } from './read.ts'
import { listRelationships } from './relationship.ts'
import { search } from './search.ts'

/** All operations of this folder. */
export const operations = [
  ...read,
  ...credentials,
  ...edit,
  search,
  listRelationships,
  ...accountLists,
  ...featuredTags,
  ...follow,
  ...followRequests,
  ...block,
  ...mute,
  ...endorse,
]
