import { deleteAccount, showDeletion } from './page.ts'

export const operations = [showDeletion, deleteAccount]
