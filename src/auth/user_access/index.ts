/** The logins of users, as moderators with manage_user_access change them. */
export { changeUserAccess } from './change.ts'
export { createMember, createUser } from './create.ts'
export { memorialize } from './memorialize.ts'
