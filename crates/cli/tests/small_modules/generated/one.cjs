1;
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIngudHMiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IkFBQ0EifQ==
