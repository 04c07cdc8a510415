import { addMembers, listMembers, removeMembers } from './members.ts'
import { listLists, showList } from './read.ts'
import { changeList, createList, removeList } from './write.ts'

/** Lists and their members. */
export const operations = [
  listLists,
  showList,
  createList,
  changeList,
  removeList,
  listMembers,
  addMembers,
  removeMembers,
]
