export { finishErasing } from './access.ts';
export { erasePerson, findPerson } from './routes/person.ts';
