/** Lists of followed accounts. */
export { addListMembers, removeListMembers } from './members.ts'
export { addList } from './write.ts'
