// In one process: the first synthesis costs several times what each further one does.
import './suites/copies.ts';
import './suites/alarms.ts';
import './suites/api-template.ts';
import './suites/console.ts';
import './suites/deployable.ts';
import './suites/doors.ts';
import './suites/operations.ts';
import './suites/roles.ts';
import './suites/template.ts';
