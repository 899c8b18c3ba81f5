console.log('nuqta')
