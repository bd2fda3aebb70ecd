import { mount } from 'svelte';
import Pay from './Pay.svelte';

const target = document.querySelector('#root');
if (!target) throw new Error('the page has no #root');
mount(Pay, { target });
